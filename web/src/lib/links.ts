/** The secret links of a table that was opened in this browser; the server keeps only their hashes. */
import type { Made } from "./api";
import { keepToken } from "./tokens";

export type Links = Made["links"];

const PLACE = "beachhead.links.";

export function links(table: string): Links {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE + table) ?? "null") as Links | null;
    if (found) return found;
  } catch {
    // as if none were kept
  }
  return { host: "", seats: [], watch: "" };
}

/** A table that was just opened, or found again: keep its token and its links, and say where it is. */
export function opened(made: Pick<Made, "table" | "token"> & Partial<Made>): string {
  keepToken(made.table, made.token);
  try {
    if (made.links) localStorage.setItem(PLACE + made.table, JSON.stringify(made.links));
  } catch {
    // the lobby can make new links
  }
  return `/g/${made.table}`;
}
