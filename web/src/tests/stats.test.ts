import { describe, expect, it } from "vitest";
import { rate } from "../lib/history";
import { band, course, diceStatistics, FACES, routes, runChance, RWB, throws, thrown, together } from "../lib/stats";
import type { Line } from "../made/types";
import { screenWith } from "./welcome";

function rolled(n: number, places: string[], faces: string[], seat = 0, turn = 1): Line {
  return { n, turn, text: "", seat, fx: { dice: { seat, rolled: places, faces } } };
}

describe("dice", () => {
  const log = [rolled(1, ["R1", "R2", "W1", "W2", "B1", "B2"], [...FACES]), rolled(2, ["R1"], ["tool", "star", "soldier1", "soldier2", "courage", "tool"]), rolled(3, ["R1"], ["skull"], 1)];

  it("are counted when they are thrown, not when they lie", () => {
    const found = diceStatistics(thrown(log, [0]));
    expect(found.total).toBe(7);
    expect(found.faces.find((one) => one.face === "tool")?.n).toBe(2);
    expect(found.expected).toBeCloseTo(7 / 6);
    expect(found.colours[0]?.faces.map(({ n }) => n)).toEqual([1, 1, 0, 0, 0, 1]);
    expect(found.colours[2]?.faces.map(({ n }) => n)).toEqual([0, 0, 0, 0, 1, 1]);
  });

  it("are counted for all Units where none is named", () => {
    expect(diceStatistics(thrown(log)).total).toBe(8);
  });

  it("are listed throw by throw", () => {
    const found = throws(log, 0, 1);
    expect(found.map((one) => [...one.fresh].length)).toEqual([6, 1]);
    expect(throws(log, 0, 2)).toEqual([]);
  });

  it("are not listed any more when they were picked up", () => {
    const cleared: Line = { n: 4, turn: 1, text: "", fx: { clear: {} } };
    expect(throws([...log, cleared], 0, 1)).toEqual([]);
    expect(throws([...log, cleared, rolled(5, ["R1", "R2"], ["star", "star"])], 0, 1)).toHaveLength(1);
  });

  it("of several games are counted together", () => {
    const both = together([thrown(log, [0]), thrown(log, [1])]);
    expect(both).toEqual({ ...thrown(log), sixes: "0" });
  });

  it("show Red-White-Blue at once only with all six", () => {
    const six = (faces: string[]): Line => rolled(1, ["R1", "R2", "W1", "W2", "B1", "B2"], faces);
    const yes = six(["star", "tool", "tool", "skull", "courage", "tool"]);
    const no = six(["star", "tool", "tool", "skull", "courage", "star"]);
    const five = rolled(1, ["R1", "W1", "W2", "B1", "B2"], ["star", "tool", "star", "skull", "courage", "star"]);
    expect(thrown([no, yes, five, no, no]).sixes).toBe("0100");
    const found = diceStatistics(thrown([no, yes, five, no, no]));
    expect(found.rwb).toMatchObject({ n: 1, of: 4 });
    expect(found.wait.n).toBe(2);
  });

  it("of nobody give nothing to look at", () => {
    const found = diceStatistics(thrown([]));
    expect(found).toMatchObject({ total: 0, inside: 6, wait: { n: 0 } });
  });
});

describe("chance", () => {
  it("of Red-White-Blue is what all throws of six dice say", () => {
    let found = 0;
    for (let n = 0; n < 46656; n += 1) {
      const faces = [0, 1, 2, 3, 4, 5].map((at) => Math.floor(n / 6 ** at) % 6);
      if (faces.slice(0, 2).some((face) => faces.slice(2, 4).includes(face) && faces.slice(4).includes(face))) found += 1;
    }
    expect(found / 46656).toBe(RWB);
  });

  it("puts the count of 12 tries with one in six between 0 and 5", () => {
    // below 0.025: nothing, since no face at all has 0.112; above 5 lies 0.0079, above 4 0.0364
    expect(band(12, 1 / 6)).toEqual([0, 5]);
    expect(band(0, 1 / 6)).toEqual([0, 0]);
  });

  it("leaves at most 2.5 of 100 on either side", () => {
    for (const n of [1, 7, 60, 500, 3000]) {
      const [low, high] = band(n, 1 / 6);
      const p = (k: number): number => {
        let log = 0;
        for (let i = 1; i <= k; i += 1) log += Math.log((n - k + i) / i);
        return Math.exp(log + k * Math.log(1 / 6) + (n - k) * Math.log(5 / 6));
      };
      const sum = (from: number, to: number): number => Array.from({ length: Math.max(0, to - from) }, (_, at) => p(from + at)).reduce((all, one) => all + one, 0);
      expect(sum(0, low)).toBeLessThanOrEqual(0.0251);
      expect(sum(high + 1, n + 1)).toBeLessThanOrEqual(0.0251);
      expect(sum(0, low + 1)).toBeGreaterThan(0.0249);
    }
  });

  it("of a row without luck is what counting gives", () => {
    // four tries of one half: a row of two or more tails is in 8 of 16
    expect(runChance(4, 2, 0.5)).toBeCloseTo(0.5);
    expect(runChance(3, 3, 0.5)).toBeCloseTo(0.125);
    expect(runChance(2, 3, 0.5)).toBe(0);
    expect(runChance(10, 10, RWB)).toBeCloseTo((1 - RWB) ** 10);
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

it("a route begins where the Unit landed at last", () => {
  const move = (n: number, from: string, to: string): Line => ({ n, turn: 0, text: "", fx: { move: { seat: 0, from, to } } });
  expect(routes([move(1, "", "1"), move(2, "", "4"), move(3, "4", "5")])).toEqual([{ seat: 0, sectors: ["4", "5"] }]);
});

it("the range of a rate is that of Wilson", () => {
  const [low, high] = rate(5, 14);
  expect(low).toBeCloseTo(0.163, 2);
  expect(high).toBeCloseTo(0.612, 2);
});
