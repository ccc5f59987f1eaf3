/** Dice keys: an answer such as `lock:R1,W2` is put together by touching dice. What may be chosen is in the list of
 * keys that came with the question; nothing here knows why.
 */
import type { AskNow, Die } from "../made/types";

export const PLACES = ["R1", "R2", "W1", "W2", "B1", "B2"] as const;

/** The dice of a key: `roll:R1,W2` are R1 and W2, `cancel:none` is none. */
export function diceOf(key: string): string[] {
  const rest = key.slice(key.indexOf(":") + 1);
  return rest === "none" || rest === "" ? [] : rest.split(",");
}

function same(a: readonly string[], b: ReadonlySet<string>): boolean {
  return a.length === b.size && a.every((place) => b.has(place));
}

/** The key that says exactly these dice, if it may be answered. */
export function keyFor(keys: readonly string[], chosen: ReadonlySet<string>): string | null {
  return keys.find((key) => same(diceOf(key), chosen)) ?? null;
}

/** All dice that some key names. */
export function touchable(keys: readonly string[]): Set<string> {
  return new Set(keys.flatMap(diceOf));
}

export interface Fit {
  /** The key of exactly these dice. */
  key: string | null;
  /** How many more dice have to be chosen until there is one. */
  more: number;
  /** How many have to be let go, where more would not help. */
  fewer: number;
}

/** How far a choice of dice is from an answer. */
export function fit(keys: readonly string[], chosen: ReadonlySet<string>): Fit {
  const key = keyFor(keys, chosen);
  if (key !== null) return { key, more: 0, fewer: 0 };
  let more = Infinity;
  let fewer = Infinity;
  for (const one of keys) {
    const dice = diceOf(one);
    const shared = dice.filter((place) => chosen.has(place)).length;
    if (shared === chosen.size) more = Math.min(more, dice.length - shared);
    if (shared === dice.length) fewer = Math.min(fewer, chosen.size - shared);
  }
  return { key: null, more: Number.isFinite(more) ? more : 0, fewer: Number.isFinite(more) ? 0 : Math.max(1, Number.isFinite(fewer) ? fewer : 1) };
}

/** Touch a die. Where each answer is a single die, another one takes its place. */
export function toggle(keys: readonly string[], chosen: ReadonlySet<string>, place: string): Set<string> {
  const next = new Set(chosen);
  if (next.delete(place)) return next;
  const single = keys.every((key) => diceOf(key).length <= 1);
  if (single) return new Set([place]);
  next.add(place);
  return next;
}

/** What is chosen when a question opens: what it proposes, or for a roll all that was not held before. */
export function atFirst(ask: AskNow, held: ReadonlySet<string>): Set<string> {
  const keys = ask.dice ?? [];
  if (ask.dice_verb !== "roll") return new Set(ask.preset ?? []);
  const free = (ask.preset ?? [...touchable(keys)]).filter((place) => !held.has(place));
  const all = new Set(free);
  return keyFor(keys, all) === null ? new Set() : all;
}

/** Dice in the order in which they lie: red, white, blue. */
export function inOrder(dice: readonly Die[]): Die[] {
  return [...dice].sort((a, b) => PLACES.indexOf(a.place as never) - PLACES.indexOf(b.place as never));
}
