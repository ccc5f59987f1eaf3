/** What the page reads in the record of a game; the server says whether it is true. */
import type { Setup } from "./start";

export interface GameRecord {
  game: string;
  setup: Setup;
  /** The seed of the first dice, once it was revealed. */
  seed: string;
  /** How often answers were taken back. */
  undone: number;
  dice: string;
}

export function readRecord(text: string): GameRecord {
  const [first = "{}", ...rest] = text.split("\n").filter(Boolean);
  const header = JSON.parse(first) as { game: string; setup: Setup; dice?: string };
  const found: GameRecord = { game: header.game, setup: header.setup, seed: "", undone: 0, dice: header.dice ?? "" };
  for (const line of rest) {
    const [kind, value] = JSON.parse(line) as [string, unknown];
    if (kind === "undo") found.undone += 1;
    if (kind === "reveal" && !found.seed && typeof value === "string") found.seed = value;
  }
  return found;
}

/** The first stop of a replay at which this turn runs, when `turnAt` says the turn of any stop. */
export async function firstOfTurn(stops: readonly number[], turn: number, turnAt: (stop: number) => Promise<number>): Promise<number> {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await turnAt(stops[middle] ?? 0)) >= turn) high = middle;
    else low = middle + 1;
  }
  return stops[low] ?? 0;
}
