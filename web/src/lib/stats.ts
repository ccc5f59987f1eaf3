/** What the log tells about dice and Soldiers. */
import type { Line, UnitNow } from "../made/types";

interface DiceFx {
  seat: number;
  rolled: string[];
  faces: string[];
}

const ORDER = ["R1", "R2", "W1", "W2", "B1", "B2"];

function diceFx(line: Line): DiceFx | null {
  const found = (line.fx ?? {})["dice"] as DiceFx | undefined;
  return found && Array.isArray(found.rolled) && found.rolled.length ? found : null;
}

export interface Throw {
  /** Faces by place; empty where a die was not rolled this turn. */
  dice: { place: string; colour: "red" | "white" | "blue"; face: string }[];
  fresh: ReadonlySet<string>;
}

/** The throws of a seat in a turn, in order. */
export function throws(log: readonly Line[], seat: number, turn: number): Throw[] {
  const out: Throw[] = [];
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const line = log[at];
    if (!line || line.turn < turn || (line.fx ?? {})["clear"]) break;
    const thrown = diceFx(line);
    if (!thrown || thrown.seat !== seat) continue;
    const dice = ORDER.map((place, n) => ({ place, colour: (["red", "white", "blue"] as const)[n >> 1] ?? "red", face: thrown.faces[n] ?? "" }));
    out.unshift({ dice: dice.filter((die) => die.face), fresh: new Set(thrown.rolled) });
  }
  return out;
}

export const FACES = ["skull", "star", "soldier1", "soldier2", "courage", "tool"] as const;
export const COLOURS = ["red", "white", "blue"] as const;

/** Of the 46,656 throws of six dice so many show some face on red, white and blue at once. */
export const RWB = 7866 / 46656;

/** What was thrown: for each colour how often each face, and for each throw of all six dice whether it was an RWB. */
export interface Thrown {
  faces: Record<(typeof COLOURS)[number], number[]>;
  /** One sign for each throw of six dice: 1 for Red-White-Blue at once, 0 for none. */
  sixes: string;
}

export function nothingThrown(): Thrown {
  return { faces: { red: [0, 0, 0, 0, 0, 0], white: [0, 0, 0, 0, 0, 0], blue: [0, 0, 0, 0, 0, 0] }, sixes: "" };
}

/** The dice that these seats threw, or all; a die counts when it is thrown, not while it lies. */
export function thrown(log: readonly Line[], seats?: readonly number[]): Thrown {
  const out = nothingThrown();
  for (const line of log) {
    const found = diceFx(line);
    if (!found || (seats?.length && !seats.includes(found.seat))) continue;
    const shown: Set<string>[] = [new Set(), new Set(), new Set()];
    for (const place of found.rolled) {
      const at = ORDER.indexOf(place);
      const face = found.faces[at] ?? "";
      const number = FACES.indexOf(face as (typeof FACES)[number]);
      const colour = COLOURS[at >> 1];
      if (!colour || number < 0) continue;
      out.faces[colour][number] = (out.faces[colour][number] ?? 0) + 1;
      shown[at >> 1]?.add(face);
    }
    if (new Set(found.rolled).size === 6) out.sixes += FACES.some((face) => shown.every((one) => one.has(face))) ? "1" : "0";
  }
  return out;
}

export function together(all: readonly Thrown[]): Thrown {
  const out = nothingThrown();
  for (const one of all) {
    for (const colour of COLOURS) out.faces[colour] = out.faces[colour].map((n, at) => n + (one.faces[colour][at] ?? 0));
    out.sixes += one.sixes;
  }
  return out;
}

export interface Count {
  face: string;
  n: number;
  expected: number;
  low: number;
  high: number;
}

export interface DiceStatistics {
  total: number;
  expected: number;
  faces: Count[];
  inside: number;
  colours: { colour: string; faces: Count[] }[];
  rwb: { n: number; of: number; low: number; high: number };
  /** The longest row of throws of six dice without RWB, and how likely one so long or longer is in so many throws. */
  wait: { n: number; chance: number };
}

function counts(faces: readonly number[]): Count[] {
  const total = faces.reduce((sum, n) => sum + n, 0);
  const [low, high] = band(total, 1 / 6);
  return FACES.map((face, at) => ({ face, n: faces[at] ?? 0, expected: total / 6, low, high }));
}

export function diceStatistics(found: Thrown): DiceStatistics {
  const all = counts(FACES.map((_, at) => COLOURS.reduce((sum, colour) => sum + (found.faces[colour][at] ?? 0), 0)));
  const total = all.reduce((sum, { n }) => sum + n, 0);
  const [low, high] = band(found.sixes.length, RWB);
  const wait = Math.max(0, ...found.sixes.split("1").map((row) => row.length));
  return {
    total,
    expected: total / 6,
    faces: all,
    inside: all.filter(within).length,
    colours: COLOURS.map((colour) => ({ colour, faces: counts(found.faces[colour]) })),
    rwb: { n: found.sixes.split("1").length - 1, of: found.sixes.length, low, high },
    wait: { n: wait, chance: runChance(found.sixes.length, wait, RWB) },
  };
}

export function within({ n, low, high }: { n: number; low: number; high: number }): boolean {
  return n >= low && n <= high;
}

/** The numbers between which a count of `n` tries lies in at least 95 of 100 cases: 2.5 at most on either side. */
export function band(n: number, p: number): [number, number] {
  let low = -1;
  let sum = 0;
  for (let k = 0; k <= n; k += 1) {
    sum += Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
    if (low < 0 && sum > 0.025) low = k;
    if (sum >= 0.975) return [Math.max(0, low), k];
  }
  return [Math.max(0, low), n];
}

const LOGS = [0];

function logFactorial(n: number): number {
  for (let k = LOGS.length; k <= n; k += 1) LOGS.push((LOGS[k - 1] ?? 0) + Math.log(k));
  return LOGS[n] ?? 0;
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** How likely `n` tries, each of which comes off with `p`, have a row of `length` or more that do not. */
export function runChance(n: number, length: number, p: number): number {
  if (length <= 0) return 1;
  if (length > n) return 0;
  const row = (1 - p) ** length;
  const without: number[] = [];
  for (let k = 0; k <= n; k += 1) {
    if (k < length) without.push(1);
    else if (k === length) without.push(1 - row);
    else without.push((without[k - 1] ?? 0) - p * row * (without[k - length - 1] ?? 0));
  }
  return 1 - (without[n] ?? 0);
}

/** A number of a Unit at the end of each turn, worked out backwards from what it is now. */
export function course(log: readonly Line[], unit: UnitNow, id = "soldiers"): number[] {
  let value = unit.counters.find((counter) => counter.id === id)?.value ?? 0;
  const out: number[] = [];
  let turn = -1;
  for (const line of [...log].reverse()) {
    if (line.turn !== turn) {
      if (line.turn > 0) out.push(value);
      turn = line.turn;
    }
    const change = (line.fx ?? {})["change"] as (Record<string, number> & { seat: number }) | undefined;
    if (change && change.seat === unit.seat) value -= Number(change[id] ?? 0);
  }
  return out.reverse();
}

/** The Sectors that each Unit stood in, in order, from where it landed. A landing comes from nowhere; the last one counts. */
export function routes(log: readonly Line[]): { seat: number; sectors: string[] }[] {
  const out = new Map<number, string[]>();
  for (const line of log) {
    const move = (line.fx ?? {})["move"] as { seat: number; from: string; to: string } | undefined;
    if (!move) continue;
    const found = move.from ? (out.get(move.seat) ?? [move.from]) : [];
    found.push(move.to);
    out.set(move.seat, found);
  }
  return [...out].map(([seat, sectors]) => ({ seat, sectors })).sort((a, b) => a.seat - b.seat);
}
