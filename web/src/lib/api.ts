/** What is asked of the server outside the socket. Every failure becomes a sentence. */
import type { Line, Screen } from "../made/types";
import { say, speech } from "./say.svelte";
import { tokenOf, tokens } from "./tokens";

export class Trouble extends Error {
  constructor(
    text: string,
    readonly status: number,
  ) {
    super(text);
  }
}

export interface Choice {
  id: string;
  name: string;
  text?: string;
}

export interface OptionChoice extends Choice {
  rule?: string;
  needs?: string;
  items?: boolean;
}

export interface LevelChoice extends Choice {
  items?: boolean;
}

export interface MapChoice extends Choice {
  number?: string;
  place?: string;
  board: string;
  rebuilt?: boolean;
  levels: LevelChoice[];
}

export interface EditionChoice extends Choice {
  seats: number;
  maps: MapChoice[];
  options: OptionChoice[];
  nations: Choice[];
  same_nation?: boolean;
}

export interface Catalogue {
  editions: EditionChoice[];
  bots: { code: string; name: string; text?: string }[];
}

export interface SeatPlan {
  who: "person" | "bot" | "open";
  bot?: string;
  name?: string;
}

export interface Made {
  table: string;
  token: string;
  links: { host: string; seats: string[]; watch: string };
}

export interface TableLine {
  table: string;
  title: string;
  edition: string;
  map: string;
  map_name: string;
  level: string;
  names: string[];
  created: number;
  changed: number;
  n: number;
  turn: number;
  waiting: number[];
  over: boolean;
  won: boolean | null;
  cause?: string;
  cause_name?: string;
  scores?: number[];
  practice: boolean;
  closed: boolean;
  fork: string;
}

export interface ReplayAt {
  n: number;
  last: number;
  stops: number[];
  screen: Screen;
  log: Line[];
}

export interface RuleRow {
  id: string;
  title: string;
  book: string;
}

export interface RuleText extends RuleRow {
  text: string;
  section?: string;
  source?: string;
  note?: string;
  basis?: string;
}

export interface Verified {
  ok: boolean | null;
  text: string;
  checks: { name: string; title?: string; status: string; detail: string }[];
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Trouble(say("trouble.offline"), 0);
  }
  const text = await answer.text();
  let found: unknown = null;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  if (!answer.ok) {
    const body = (found ?? {}) as Record<string, unknown>;
    const said = [body["text"], body["error"], body["detail"]].find((one) => typeof one === "string");
    throw new Trouble((said as string | undefined) ?? say("trouble.status", { n: answer.status }), answer.status);
  }
  return found as T;
}

function langed(path: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${encodeURIComponent(speech.lang)}`;
}

function bearer(table: string): HeadersInit {
  const token = tokenOf(table);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

function posted(body: unknown): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export const api = {
  catalogue: () => ask<Catalogue>(langed("/api/catalogue")),

  async tables(): Promise<TableLine[]> {
    const own = Object.entries(tokens()).map(([table, token]) => `${table}=${token}`);
    const found = await ask<{ tables: TableLine[] }>(langed("/api/tables"), {
      headers: own.length ? { "X-Tokens": own.slice(-80).join(",") } : {},
    });
    return found.tables;
  },

  open: (body: unknown) => ask<Made>(langed("/api/tables"), posted(body)),
  replay: (table: string, at: number) =>
    ask<ReplayAt>(langed(`/api/tables/${encodeURIComponent(table)}/replay?at=${at}`), { headers: bearer(table) }),

  async record(table: string): Promise<string> {
    const answer = await fetch(`/api/tables/${encodeURIComponent(table)}/record`, { headers: bearer(table) });
    const text = await answer.text();
    if (!answer.ok) {
      let said = "";
      try {
        const body = JSON.parse(text) as Record<string, unknown>;
        said = String(body["text"] ?? body["error"] ?? "");
      } catch {
        said = "";
      }
      throw new Trouble(said || say("trouble.status", { n: answer.status }), answer.status);
    }
    return text;
  },

  verify: (record: string) =>
    ask<Verified>(langed("/api/verify"), { method: "POST", headers: { "Content-Type": "text/plain" }, body: record }),
  rule: (id: string) => ask<RuleText>(langed(`/api/rules/${encodeURIComponent(id)}`)),

  rules: (words: string) => ask<{ rules: RuleRow[]; found: number }>(langed(`/api/rules?q=${encodeURIComponent(words)}`)),

  async board(url: string): Promise<string> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Trouble(say("trouble.status", { n: answer.status }), answer.status);
    return answer.text();
  },
};
