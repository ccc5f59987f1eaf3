/** What the adviser says, put beside what is asked. It knows keys and numbers; why they are so, it leaves to the server. */
import type { Advice, Advised, AskNow, Gain } from "../made/types";
import { diceOf, touchable } from "./dice";
import { figure } from "./history";
import { say } from "./say.svelte";
import { stepKey } from "./steppers";

/** Answers that leave the dice as they lie. */
const AS_THEY_LIE = ["stop", "keep", "done", "skip", "none"];

/** All keys that may be answered. */
export function keysOf(ask: AskNow): string[] {
  const amounts = (ask.steppers ?? []).flatMap((one) => Array.from({ length: one.most }, (_, n) => stepKey(one, n + 1)));
  return [...(ask.dice ?? []), ...(ask.options ?? []).map((one) => one.key), ...amounts];
}

/** Whether it was said to this very question. */
export function fits(advice: Advice, ask: AskNow): boolean {
  if (advice.seat !== ask.seat || advice.seq !== ask.seq) return false;
  const keys = new Set(keysOf(ask));
  return keys.size === advice.options.length && advice.options.every((one) => keys.has(one.key));
}

export interface Ranked extends Advised {
  /** 1 for the best; answers that are as good have the same. */
  rank: number;
}

export function ranked(advice: Advice): Ranked[] {
  let rank = 1;
  return advice.options.map((one, n, all) => {
    if (n && (all[n - 1]?.value ?? 0) !== one.value) rank = n + 1;
    return { ...one, rank };
  });
}

/** What to do with each die: place -> the verb, in the best answer. */
export function tips(ask: AskNow, best: string): Map<string, string> {
  const verb = ask.dice_verb ?? "";
  const out = new Map<string, string>();
  if (!verb) return out;
  const named = (ask.dice ?? []).includes(best) ? new Set(diceOf(best)) : AS_THEY_LIE.includes(best) ? new Set<string>() : null;
  if (!named) return out;
  for (const place of touchable(ask.dice ?? [])) {
    if (verb === "roll") out.set(place, named.has(place) ? "roll" : "keep");
    else if (named.has(place)) out.set(place, verb);
  }
  return out;
}

/** A probability as a percentage, with one figure after the point; what is nearly sure is not said to be sure. */
export function percent(value: number): string {
  const shown = value > 0 && value < 1 ? Math.min(99.9, Math.max(0.1, 100 * value)) : 100 * value;
  return say("adviser.percent", { n: figure(shown, 1, value > 0 && value < 1 ? 1 : 0) });
}

/** What an answer brings that is worth a word. */
export function worthSaying(gives: readonly Gain[]): Gain[] {
  return gives.filter((gain) => Math.abs(gain.value) >= 0.05);
}

/** One answer in words, for readers. */
export function inWords(one: Ranked, of: number): string {
  const gives = worthSaying(one.gives ?? []).map((gain) => say("adviser.gain", { n: figure(gain.value, 1, 1), what: gain.name }));
  const said = say(one.low < one.high ? "adviser.words-between" : "adviser.words", {
    rank: one.rank,
    of,
    chance: percent(one.value),
    low: figure(100 * one.low),
    high: figure(100 * one.high),
  });
  return gives.length ? `${said} ${say("adviser.words-gives", { what: gives.join(", ") })}` : said;
}
