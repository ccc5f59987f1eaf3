/** First-time hints: a rule is told in the game when it first matters, once. Which question or event is worth one is
 * listed here by the names that the server gives them; the text is that of the rule.
 */
import type { AskNow, Line } from "../made/types";

const ASKS = ["lock", "reroll", "leave", "cancel", "mulligan", "acquire", "window", "move", "casualties", "offer", "consent", "claim", "gift", "award"];
const EVENTS = ["rwb", "straight", "marker", "combat"];
const PLACE = "beachhead.hints";

export interface Hint {
  /** What it is about, as the server names it. */
  key: string;
  rule: string;
}

function kept(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

class Hints {
  seen = $state.raw<ReadonlySet<string>>(new Set(kept()));

  /** The hint of this moment, if there is one that was not read yet: of the question, or of what just happened. */
  at(ask: AskNow | null, lines: readonly Line[], seat: number): Hint | null {
    if (ask?.rule && ASKS.includes(ask.name) && !this.seen.has(ask.name)) return { key: ask.name, rule: ask.rule };
    const line = lines.find((one) => one.rule && EVENTS.includes(one.kind ?? "") && (one.seat ?? -1) === seat && !this.seen.has(one.kind ?? ""));
    return line ? { key: line.kind ?? "", rule: line.rule ?? "" } : null;
  }

  read(key: string): void {
    this.seen = new Set([...this.seen, key]);
    try {
      localStorage.setItem(PLACE, JSON.stringify([...this.seen]));
    } catch {
      // it holds as long as the page is open
    }
  }
}

export const hints = new Hints();
