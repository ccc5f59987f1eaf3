/** The dice of finished games, counted once and kept in this browser: counting needs the whole log of a game. */
import { api } from "./api";
import { thrown, type Thrown } from "./stats";

const PLACE = "beachhead.dice";
const MOST = 400;
type Book = Record<string, Thrown>;

function book(): Book {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return found && typeof found === "object" ? (found as Book) : {};
  } catch {
    return {};
  }
}

function keep(table: string, dice: Thrown): void {
  const entries = Object.entries({ ...book(), [table]: dice });
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(entries.slice(-MOST))));
  } catch {
    // they are counted again next time
  }
}

/** The dice of these games, those that are known at once and then each as it is counted; `false` ends it. */
export async function countDice(tables: readonly string[], tell: (found: ReadonlyMap<string, Thrown>) => boolean): Promise<void> {
  const known = book();
  const found = new Map<string, Thrown>();
  for (const table of tables) {
    const kept = known[table];
    if (kept) found.set(table, kept);
  }
  if (!tell(found)) return;
  for (const table of tables) {
    if (found.has(table)) continue;
    try {
      const dice = thrown((await api.replay(table)).log);
      keep(table, dice);
      found.set(table, dice);
    } catch {
      continue;
    }
    if (!tell(found)) return;
  }
}
