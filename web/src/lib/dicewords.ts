/** What the button says that answers with the chosen dice. */
import type { AskNow } from "../made/types";
import type { Fit } from "./dice";
import { say } from "./say.svelte";

const KNOWN = ["roll", "lock", "leave", "cancel", "free"];

export function actWords(ask: AskNow, chosen: number): string {
  const verb = ask.dice_verb ?? "";
  return KNOWN.includes(verb) ? say(`act.${verb}`, { n: chosen }) : ask.expect || say("act.choose", { n: chosen });
}

/** What is missing until there is an answer; empty if nothing is. */
export function missingWords(ask: AskNow, fits: Fit): string {
  if (fits.key !== null) return "";
  const verb = ask.dice_verb ?? "";
  if (fits.more) return say(KNOWN.includes(verb) ? `more.${verb}` : "more.any", { n: fits.more });
  return say("fewer", { n: fits.fewer });
}
