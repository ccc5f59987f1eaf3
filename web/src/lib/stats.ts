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
    if (!line || line.turn < turn) break;
    const thrown = diceFx(line);
    if (!thrown || thrown.seat !== seat) continue;
    const dice = ORDER.map((place, n) => ({ place, colour: (["red", "white", "blue"] as const)[n >> 1] ?? "red", face: thrown.faces[n] ?? "" }));
    out.unshift({ dice: dice.filter((die) => die.face), fresh: new Set(thrown.rolled) });
  }
  return out;
}

export interface FaceCount {
  face: string;
  n: number;
}

export interface DiceStatistics {
  total: number;
  expected: number;
  /** Half of the band in which 95 of 100 games lie. */
  band: number;
  faces: FaceCount[];
  inside: number;
}

/** How often each face was thrown, by these seats or by all. */
export function diceStatistics(log: readonly Line[], faces: readonly string[], seats?: readonly number[]): DiceStatistics {
  const count = new Map(faces.map((face) => [face, 0]));
  let total = 0;
  for (const line of log) {
    const thrown = diceFx(line);
    if (!thrown || (seats?.length && !seats.includes(thrown.seat))) continue;
    for (const place of thrown.rolled) {
      const face = thrown.faces[ORDER.indexOf(place)];
      if (!face) continue;
      count.set(face, (count.get(face) ?? 0) + 1);
      total += 1;
    }
  }
  const expected = total / 6;
  const band = 1.96 * Math.sqrt((total * 5) / 36);
  const rows = [...count].map(([face, n]) => ({ face, n }));
  return { total, expected, band, faces: rows, inside: rows.filter(({ n }) => Math.abs(n - expected) <= band).length };
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

/** The Sectors that each Unit stood in, in order. */
export function routes(log: readonly Line[]): { seat: number; sectors: string[] }[] {
  const out = new Map<number, string[]>();
  for (const line of log) {
    const move = (line.fx ?? {})["move"] as { seat: number; from: string; to: string } | undefined;
    if (!move) continue;
    const found = out.get(move.seat) ?? [];
    if (!found.length && move.from) found.push(move.from);
    found.push(move.to);
    out.set(move.seat, found);
  }
  return [...out].map(([seat, sectors]) => ({ seat, sectors })).sort((a, b) => a.seat - b.seat);
}
