/** Secret links of tables: the part after `#` is kept in this browser and taken out of the address bar. */
const PLACE = "beachhead.tokens";

export type Tokens = Record<string, string>;

export function tokens(): Tokens {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return found && typeof found === "object" ? (found as Tokens) : {};
  } catch {
    return {};
  }
}

export function tokenOf(table: string): string {
  return tokens()[table] ?? "";
}

/** Keep a token of this table beside those that are there. */
export function keepToken(table: string, token: string): string {
  const all = tokens();
  const parts = (all[table] ?? "").split(".").filter(Boolean);
  for (const part of token.split(".")) if (part && !parts.includes(part)) parts.push(part);
  const joined = parts.slice(-8).join(".");
  try {
    localStorage.setItem(PLACE, JSON.stringify({ ...all, [table]: joined }));
  } catch {
    // it holds as long as the page is open
  }
  return joined;
}

export function forgetToken(table: string): void {
  const all = tokens();
  delete all[table];
  try {
    localStorage.setItem(PLACE, JSON.stringify(all));
  } catch {
    // nothing was kept
  }
}

/** The token of the address, which is taken out of it. */
export function fromAddress(table: string): string {
  const found = /^#([\w.~-]{4,})$/.exec(location.hash)?.[1];
  if (!found) return tokenOf(table);
  history.replaceState(history.state, "", location.pathname + location.search);
  return keepToken(table, found);
}
