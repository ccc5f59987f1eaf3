/** What is asked of the server outside the socket. Every failure becomes a sentence. */
import type { Advice, Advised, Line, Screen } from "../made/types";
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
  specialists?: boolean;
  excludes?: string;
  dice_for?: string;
}

export interface LevelChoice extends Choice {
  items?: boolean;
  specialists?: boolean;
  dice?: string[];
  /** It leaves nothing out: the map itself. */
  whole?: boolean;
}

export interface MapChoice extends Choice {
  number?: string;
  place?: string;
  board: string;
  /** The values of its board are rebuilt, and a sentence about it. */
  rebuilt?: boolean;
  rebuilt_text?: string;
  /** What d6 are rolled for there: mgf, mines. */
  dice?: string[];
  /** As many Units as this map needs. */
  least?: number;
  /** As many Units as it has room for. */
  most?: number;
  few_good_men?: boolean;
  levels: LevelChoice[];
}

export interface EditionChoice extends Choice {
  seats: number;
  maps: MapChoice[];
  options: OptionChoice[];
  nations: Choice[];
  same_nation?: boolean;
}

/** A small game: it has no map and few choices. */
export interface GameChoice extends Choice {
  seats: number;
  /** How many play it as a rule. */
  usual: number;
  beaches: (Choice & { number?: string })[];
  options: OptionChoice[];
}

export interface Catalogue {
  /** Games beside the landing. */
  games: GameChoice[];
  editions: EditionChoice[];
  bots: { code: string; name: string; text?: string }[];
  /** The code of the one that is offered first. */
  bot: string;
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

/** A table in a list. */
export interface TableLine {
  table: string;
  game: string;
  title: string;
  /** The picture of its board; empty where it has none. */
  board: string;
  edition: string;
  edition_name: string;
  map: string;
  map_name: string;
  level: string;
  level_name: string;
  /** How many Units take part. */
  players: number;
  names: string[];
  created: number;
  changed: number;
  n: number;
  turn: number;
  waiting: number[];
  over: boolean;
  won: boolean | null;
  /** Players play against each other, and the cause says who won. */
  ranked?: boolean;
  /** How it ended, in words. */
  cause?: string;
  /** Victory Points of the group. */
  vp?: number | null;
  /** How many answers were taken back. */
  undone?: number;
  /** The adviser has been on. */
  advised?: boolean;
  practice: boolean;
  closed: boolean;
  fork: string;
  /** This browser holds a link of it. */
  mine: boolean;
}

export interface Tables {
  tables: TableLine[];
  /** The server is for this computer alone: a table whose link was lost can be entered again. */
  local: boolean;
}

export interface ReplayAt {
  n: number;
  /** The game itself is over, wherever one looks. */
  over: boolean;
  last: number;
  stops: number[];
  screen: Screen;
  log: Line[];
}

/** What was answered at a place of a game that is over, and what the adviser says to that question. */
export interface Opinion {
  seat: number;
  key: string;
  advice: Advice | null;
}

export interface Costly {
  /** Where it is in the replay. */
  entry: number;
  seat: number;
  turn: number;
  prompt: string;
  chosen: Advised;
  best: Advised;
}

/** What a finished game came to: in a contest to each seat, else to all. */
export interface Side {
  start: number;
  result: number;
  luck: number;
}

/** What the adviser says of a whole game, or how far it is with that. */
export interface Reviewed {
  state: "none" | "working" | "failed" | "done";
  done?: number;
  of?: number;
  /** Why it failed, in words. */
  why?: string;
  review?: Side & { sides?: Side[]; skill: number[]; judged: number; how: string; costly: Costly[] };
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

/** So many tokens fit into the header of a request. */
const MOST_TOKENS = 80;

async function text(path: string, init: RequestInit = {}): Promise<string> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Trouble(say("trouble.offline"), 0);
  }
  const found = await answer.text();
  if (answer.ok) return found;
  let said: unknown;
  try {
    said = (JSON.parse(found) as Record<string, unknown>)["error"];
  } catch {
    // it gave no reason
  }
  throw new Trouble(typeof said === "string" ? said : say("trouble.status", { n: answer.status }), answer.status);
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const found = await text(path, init);
  try {
    return JSON.parse(found) as T;
  } catch {
    throw new Trouble(say("trouble.offline"), 0);
  }
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

  async tables(): Promise<Tables> {
    const own = Object.entries(tokens()).map(([table, token]) => `${table}=${token}`);
    const found = new Map<string, TableLine>();
    let local = false;
    for (let at = 0; at === 0 || at < own.length; at += MOST_TOKENS) {
      const some = own.slice(at, at + MOST_TOKENS);
      const answer = await ask<Tables>(langed("/api/tables"), { headers: some.length ? { "X-Tokens": some.join(",") } : {} });
      for (const one of answer.tables) if (one.mine || !found.has(one.table)) found.set(one.table, one);
      local = answer.local;
    }
    return { tables: [...found.values()].sort((a, b) => b.changed - a.changed), local };
  },

  open: (body: unknown) => ask<Made>(langed("/api/tables"), posted(body)),

  /** A fresh link to a table of this computer. */
  back: (table: string) => ask<{ table: string; token: string }>(langed(`/api/tables/${encodeURIComponent(table)}/return`), posted({})),

  /** The table as it stood at a number, or as it stands. */
  replay: (table: string, at?: number) =>
    ask<ReplayAt>(langed(`/api/tables/${encodeURIComponent(table)}/replay${at === undefined ? "" : `?at=${at}`}`), { headers: bearer(table) }),

  opinion: (table: string, at: number) =>
    ask<Opinion>(langed(`/api/tables/${encodeURIComponent(table)}/opinion?at=${at}`), { headers: bearer(table) }),

  review: (table: string, begin: boolean) =>
    ask<Reviewed>(langed(`/api/tables/${encodeURIComponent(table)}/review`), { method: begin ? "POST" : "GET", headers: bearer(table) }),

  record: (table: string) => text(`/api/tables/${encodeURIComponent(table)}/record`, { headers: bearer(table) }),

  verify: (record: string) =>
    ask<Verified>(langed("/api/verify"), { method: "POST", headers: { "Content-Type": "text/plain" }, body: record }),
  rule: (id: string) => ask<RuleText>(langed(`/api/rules/${encodeURIComponent(id)}`)),

  rules: (words: string) => ask<{ rules: RuleRow[]; found: number }>(langed(`/api/rules?q=${encodeURIComponent(words)}`)),

  board: (url: string) => text(url),
};
