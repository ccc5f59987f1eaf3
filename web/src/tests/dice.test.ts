import { describe, expect, it } from "vitest";
import { atFirst, diceOf, fit, inOrder, keyFor, toggle, touchable } from "../lib/dice";
import { die, LOCK, ROLL } from "./welcome";

const keys = LOCK.dice ?? [];

describe("dice keys", () => {
  it("name their dice", () => {
    expect(diceOf("roll:R1,W2")).toEqual(["R1", "W2"]);
    expect(diceOf("cancel:none")).toEqual([]);
  });

  it("are found whatever the order of touching", () => {
    expect(keyFor(keys, new Set(["W1", "R1"]))).toBe("lock:R1,W1");
    expect(keyFor(keys, new Set(["R1"]))).toBeNull();
    expect(keyFor(["cancel:none", "cancel:R1"], new Set())).toBe("cancel:none");
  });

  it("say which dice may be touched", () => {
    expect([...touchable(keys)].sort()).toEqual(["R1", "R2", "W1"]);
  });

  it("tell how many dice are missing or too many", () => {
    expect(fit(keys, new Set())).toEqual({ key: null, more: 2, fewer: 0 });
    expect(fit(keys, new Set(["R1"]))).toEqual({ key: null, more: 1, fewer: 0 });
    expect(fit(keys, new Set(["R1", "R2"]))).toEqual({ key: "lock:R1,R2", more: 0, fewer: 0 });
    expect(fit(keys, new Set(["R1", "R2", "W1"]))).toEqual({ key: null, more: 0, fewer: 1 });
  });
});

describe("touching", () => {
  it("takes a die and lets it go", () => {
    expect([...toggle(keys, new Set(["R1"]), "W1")]).toEqual(["R1", "W1"]);
    expect([...toggle(keys, new Set(["R1"]), "R1")]).toEqual([]);
  });

  it("changes the die where only one can be chosen", () => {
    expect([...toggle(["die:R1", "die:W2"], new Set(["R1"]), "W2")]).toEqual(["W2"]);
  });
});

describe("at first", () => {
  it("nothing is chosen for a lock", () => {
    expect(atFirst(LOCK, new Set()).size).toBe(0);
  });

  it("what the server proposes to leave out is chosen", () => {
    expect([...atFirst({ ...LOCK, dice_verb: "leave", dice: ["leave:R1", "leave:B2"], preset: ["B2"] }, new Set())]).toEqual(["B2"]);
  });

  it("all dice that were not held before are to be rolled", () => {
    expect([...atFirst(ROLL, new Set())]).toEqual(["W1", "W2"]);
    expect([...atFirst(ROLL, new Set(["W2"]))]).toEqual(["W1"]);
  });

  it("what the server proposes is chosen, but for dice that were held", () => {
    const keys = ["roll:R1", "roll:W1", "roll:R1,W1"];
    expect([...atFirst({ ...ROLL, dice: keys, preset: ["R1", "W1"] }, new Set())]).toEqual(["R1", "W1"]);
    expect([...atFirst({ ...ROLL, dice: keys, preset: ["R1", "W1"] }, new Set(["R1"]))]).toEqual(["W1"]);
    expect(atFirst({ ...ROLL, dice: keys, preset: [] }, new Set()).size).toBe(0);
  });

  it("nothing is chosen for a roll when everything is held", () => {
    expect(atFirst(ROLL, new Set(["W1", "W2"])).size).toBe(0);
  });
});

it("dice lie in the order red, white, blue", () => {
  expect(inOrder([die("B1", "star"), die("R2", "star"), die("R1", "star")]).map((one) => one.place)).toEqual(["R1", "R2", "B1"]);
});
