"""A small net, fitted to what came of games: plain numpy, Adam, and an early stop by games that were held out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bots.values import Weights

HIDDEN = 24
BATCH = 1024
EPOCHS = 40
PATIENCE = 5
RATE = 3e-3
DECAY = 0.03
"""Of weights."""
HELD = 8
"""One game in so many is held out."""

Array = NDArray[np.float32]


class Fitted(NamedTuple):
    net: Weights
    loss: float
    """On games that were held out, and what it is without looking at anything."""
    blind: float


def fit(x: Array, y: Array, game: NDArray[np.int32], seed: int, start: Weights | None = None) -> Fitted:
    """The net that tells best from `x` what comes of games (`y`, from 0 to 1)."""
    rng = np.random.default_rng(seed)
    held = game % HELD == 0
    if held.all() or not held.any():
        held = np.zeros(len(x), dtype=bool)
    test_x, test_y = (x[held], y[held]) if held.any() else (x, y)
    x, y = x[~held], y[~held]
    net = (
        _fresh(x.shape[1], float(y.mean()), rng)
        if start is None
        else {k: v.astype(np.float32) for k, v in start.items()}
    )
    first = {name: np.zeros_like(one) for name, one in net.items()}
    second = {name: np.zeros_like(one) for name, one in net.items()}
    best, best_loss, waited, step = net, np.inf, 0, 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        order = rng.permutation(len(x))
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            step += 1
            for name, slope in _slopes(net, x[some], y[some]).items():
                first[name] = 0.9 * first[name] + 0.1 * slope
                second[name] = 0.999 * second[name] + 0.001 * slope * slope
                change = (first[name] / (1 - 0.9**step)) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
                net[name] = (net[name] - rate * (change + DECAY * net[name])).astype(np.float32)
        loss = _loss(net, test_x, test_y)
        if loss < best_loss - 1e-5:
            best, best_loss, waited = {name: one.copy() for name, one in net.items()}, loss, 0
        else:
            waited += 1
            if waited > PATIENCE:
                break
    mean = np.clip(float(y.mean()), 1e-4, 1 - 1e-4)
    blind = float(-(test_y * np.log(mean) + (1 - test_y) * np.log(1 - mean)).mean())
    return Fitted({name: one.astype(np.float64) for name, one in best.items()}, float(best_loss), blind)


def _fresh(inputs: int, mean: float, rng: np.random.Generator) -> Weights:
    mean = min(max(mean, 0.01), 0.99)
    net = {
        "w": rng.normal(0, 1 / np.sqrt(inputs), (inputs, HIDDEN)),
        "b": np.zeros(HIDDEN),
        "v": rng.normal(0, 0.3 / np.sqrt(HIDDEN), HIDDEN),
        "u": np.zeros(inputs),
        "c": np.array([np.log(mean / (1 - mean))]),
    }
    return {name: one.astype(np.float32) for name, one in net.items()}


def _forward(net: Weights, x: Array) -> tuple[Array, Array]:
    hidden = np.maximum(x @ net["w"] + net["b"], 0)
    return hidden, hidden @ net["v"] + x @ net["u"] + net["c"][0]


def _slopes(net: Weights, x: Array, y: Array) -> Weights:
    hidden, logit = _forward(net, x)
    off = (1 / (1 + np.exp(-logit)) - y) / len(x)
    back = np.outer(off, net["v"]) * (hidden > 0)
    return {
        "w": x.T @ back,
        "b": back.sum(0),
        "v": hidden.T @ off,
        "u": x.T @ off,
        "c": np.array([off.sum()]),
    }


def _loss(net: Weights, x: Array, y: Array) -> float:
    _, logit = _forward(net, x)
    return float((np.logaddexp(0, logit) - y * logit).mean())
