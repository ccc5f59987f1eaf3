import { describe, expect, it } from "vitest";
import { rate } from "../lib/history";
import { course, diceStatistics, routes, throws } from "../lib/stats";
import type { Line } from "../made/types";
import { screenWith } from "./welcome";

const FACES = ["skull", "star", "soldier1", "soldier2", "courage", "tool"];

function rolled(n: number, places: string[], faces: string[], seat = 0, turn = 1): Line {
  return { n, turn, text: "", seat, fx: { dice: { seat, rolled: places, faces } } };
}

describe("dice", () => {
  const log = [rolled(1, ["R1", "R2", "W1", "W2", "B1", "B2"], FACES), rolled(2, ["R1"], ["tool", "star", "soldier1", "soldier2", "courage", "tool"]), rolled(3, ["R1"], ["skull"], 1)];

  it("are counted when they are thrown, not when they lie", () => {
    const found = diceStatistics(log, FACES, [0]);
    expect(found.total).toBe(7);
    expect(found.faces.find((one) => one.face === "tool")?.n).toBe(2);
    expect(found.expected).toBeCloseTo(7 / 6);
    expect(found.band).toBeCloseTo(1.96 * Math.sqrt((7 * 5) / 36));
  });

  it("are counted for all Units where none is named", () => {
    expect(diceStatistics(log, FACES).total).toBe(8);
  });

  it("are listed throw by throw", () => {
    const found = throws(log, 0, 1);
    expect(found.map((one) => [...one.fresh].length)).toEqual([6, 1]);
    expect(throws(log, 0, 2)).toEqual([]);
  });
});

it("the course of a number is worked out backwards", () => {
  const unit = screenWith([]).units[0];
  if (!unit) throw new Error("no Unit");
  const change = (n: number, turn: number, soldiers: number, seat = 0): Line => ({ n, turn, text: "", fx: { change: { seat, soldiers } } });
  expect(course([change(1, 1, 5), change(2, 1, -2), change(3, 2, 2), change(4, 2, 9, 1), change(5, 3, -1)], unit)).toEqual([3, 5, 4]);
});

it("routes follow the moves", () => {
  const move = (n: number, seat: number, from: string, to: string): Line => ({ n, turn: 1, text: "", fx: { move: { seat, from, to } } });
  expect(routes([move(1, 0, "", "1"), move(2, 1, "", "1"), move(3, 0, "1", "3")])).toEqual([
    { seat: 0, sectors: ["1", "3"] },
    { seat: 1, sectors: ["1"] },
  ]);
});

it("the range of a rate is that of Wilson", () => {
  const [low, high] = rate(5, 14);
  expect(low).toBeCloseTo(0.163, 2);
  expect(high).toBeCloseTo(0.612, 2);
});
