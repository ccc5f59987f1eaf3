"""What is printed already, so that the next mark can step aside."""

from __future__ import annotations


class Space:
    """Boxes that are taken, each with a weight: how bad it is to print over it."""

    def __init__(self) -> None:
        self._taken: list[tuple[float, float, float, float, float]] = []

    def copy(self) -> Space:
        other = Space()
        other._taken = list(self._taken)
        return other

    def take(self, x: float, y: float, width: float, height: float, weight: float = 1.0) -> None:
        self._taken.append((x, y, x + width, y + height, weight))

    def clash(self, x: float, y: float, width: float, height: float) -> float:
        """How much of what is printed a box would cover."""
        total, x2, y2 = 0.0, x + width, y + height
        for left, top, right, bottom, weight in self._taken:
            if left < x2 and right > x and top < y2 and bottom > y:
                total += weight * (min(x2, right) - max(x, left)) * (min(y2, bottom) - max(y, top))
        return total

    def place(
        self, x: float, y: float, width: float, height: float, dx: float, dy: float, pad: float = 3
    ) -> tuple[float, float]:
        """The nearest free place, looking up to `dx` sideways (its sign is the direction) and `dy` down. Takes it."""
        best = (float("inf"), x, y)
        for p in range(0, int(abs(dx)) + 1, 3):
            for q in range(0, int(dy) + 1, 3):
                px, py = x + (p if dx > 0 else -p), y + q
                cost = 12 * self.clash(px - pad, py - pad, width + 2 * pad, height + 2 * pad) + p + 1.6 * q
                if cost < best[0]:
                    best = (cost, px, py)
        _, px, py = best
        self.take(px, py, width, height)
        return px, py
