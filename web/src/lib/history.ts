/** Games that were played, counted. */
import type { TableLine } from "./api";
import { say, speech } from "./say.svelte";

/** What a row of the record is about: each map of an edition, or the same with its level, or with the number of Units too. */
export type Grain = "map" | "level" | "players";
export const GRAINS: readonly Grain[] = ["map", "level", "players"];

export interface Standing {
  key: string;
  map: string;
  edition: string;
  level: string;
  players: number;
  plays: number;
  won: number;
  best: number | null;
  /** Turns of an average game; null where none is known. */
  turns: number | null;
  /** How many games at the end went the same way: above 0 won, below 0 lost. */
  streak: number;
  /** The most games won one after the other. */
  longest: number;
  /** How the last ten ended, the latest last. */
  last: boolean[];
}

/** Finished games that count, the oldest first. */
export function counted(tables: readonly TableLine[]): TableLine[] {
  return tables.filter((one) => one.over && !one.practice && one.won !== null).sort((a, b) => a.changed - b.changed);
}

export function keyOf(one: Pick<TableLine, "edition" | "map" | "level" | "players">, grain: Grain): string {
  const parts = [one.edition, one.map];
  if (grain !== "map") parts.push(one.level);
  if (grain === "players") parts.push(String(one.players));
  return parts.join("/");
}

/** How things stand on each map, the most played first. */
export function standings(tables: readonly TableLine[], grain: Grain = "map"): Standing[] {
  const groups = new Map<string, TableLine[]>();
  for (const one of counted(tables)) {
    const key = keyOf(one, grain);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, games]) => standing(key, games)).sort((a, b) => b.plays - a.plays);
}

function standing(key: string, games: readonly TableLine[]): Standing {
  const last = games[games.length - 1] as TableLine;
  const ends = games.map((one) => one.won === true);
  const points = games.map((one) => one.vp).filter((one): one is number => typeof one === "number");
  const turns = games.map((one) => one.turn).filter((one) => one > 0);
  let run = 0;
  let longest = 0;
  for (const won of ends) {
    run = won ? Math.max(run, 0) + 1 : Math.min(run, 0) - 1;
    longest = Math.max(longest, run);
  }
  return {
    key,
    map: last.map_name || last.title,
    edition: last.edition_name || last.edition,
    level: last.level_name || say("new.whole"),
    players: last.players,
    plays: games.length,
    won: ends.filter(Boolean).length,
    best: points.length ? Math.max(...points) : null,
    turns: turns.length ? turns.reduce((sum, n) => sum + n, 0) / turns.length : null,
    streak: run,
    longest,
    last: ends.slice(-10),
  };
}

/** How games ended, the most frequent first. */
export function ends(tables: readonly TableLine[]): { name: string; n: number; won: boolean }[] {
  const out = new Map<string, { name: string; n: number; won: boolean }>();
  for (const one of tables) {
    const name = one.won ? say("ended.won") : (one.ranked ? "" : one.cause) || say("ended.lost");
    const found = out.get(name) ?? { name, n: 0, won: one.won ?? false };
    found.n += 1;
    out.set(name, found);
  }
  return [...out.values()].sort((a, b) => b.n - a.n);
}

/** `7 of 12 (32 to 81 %)`: won, played, and the rates that fit. */
export function rateWords(won: number, n: number): string {
  const [low, high] = rate(won, n);
  return say("history.rate", { won, n, low: Math.round(low * 100), high: Math.round(high * 100) });
}

/** The range in which the true rate of winning lies, 95 in 100 (Wilson). */
export function rate(won: number, plays: number): [number, number] {
  if (!plays) return [0, 1];
  const z = 1.96;
  const p = won / plays;
  const low = 1 + (z * z) / plays;
  const mid = (p + (z * z) / (2 * plays)) / low;
  const half = (z * Math.sqrt((p * (1 - p)) / plays + (z * z) / (4 * plays * plays))) / low;
  return [Math.max(0, mid - half), Math.min(1, mid + half)];
}

// ---------------------------------------------------------------- files

interface Exported {
  table: string;
  game: string;
  title: string;
  edition: string;
  map: string;
  level: string;
  units: number;
  practice: boolean;
  result: "won" | "lost" | "open" | "over";
  cause: string;
  turns: number;
  victory_points: number | null;
  taken_back: number;
  adviser: boolean;
  started: string;
  changed: string;
}

function exported(one: TableLine): Exported {
  const moment = (seconds: number): string => (seconds ? new Date(seconds * 1000).toISOString().slice(0, 19) + "Z" : "");
  return {
    table: one.table,
    game: one.game,
    title: one.title,
    edition: one.edition,
    map: one.map,
    level: one.level,
    units: one.players,
    practice: one.practice,
    result: one.over ? (one.won ? "won" : one.won === null ? "over" : "lost") : "open",
    cause: one.cause ?? "",
    turns: one.turn,
    victory_points: one.vp ?? null,
    taken_back: one.undone ?? 0,
    adviser: one.advised ?? false,
    started: moment(one.created),
    changed: moment(one.changed),
  };
}

export function asJson(tables: readonly TableLine[]): string {
  return `${JSON.stringify({ beachhead: 1, games: tables.map(exported) }, null, 1)}\n`;
}

export function asCsv(tables: readonly TableLine[]): string {
  const rows = tables.map(exported);
  const names: (keyof Exported)[] = [
    "table", "game", "title", "edition", "map", "level", "units", "practice", "result", "cause", "turns", "victory_points", "taken_back", "adviser", "started", "changed",
  ];
  const lines = [names.join(","), ...rows.map((row) => names.map((name) => cell(row[name])).join(","))];
  return `${lines.join("\r\n")}\r\n`;
}

/** A cell; what a spreadsheet would run as a formula is made a plain text. */
function cell(value: string | number | boolean | null): string {
  if (value === null) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// ---------------------------------------------------------------- words

/** `4 minutes ago`, from seconds since 1970. */
export function ago(seconds: number): string {
  if (!seconds) return "";
  const gone = Date.now() / 1000 - seconds;
  const words = new Intl.RelativeTimeFormat(speech.lang === "xx" ? "en" : speech.lang, { numeric: "auto" });
  const steps: [number, Intl.RelativeTimeFormatUnit][] = [
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ];
  for (const [size, unit] of steps) if (gone >= size) return words.format(-Math.round(gone / size), unit);
  return words.format(0, "minute");
}

/** A number with at most one figure after the point, and no fewer than `least`, as this language writes it. */
export function figure(value: number, digits = 1, least = 0): string {
  const figures = { maximumFractionDigits: digits, minimumFractionDigits: least };
  return new Intl.NumberFormat(speech.lang === "xx" ? "en" : speech.lang, figures).format(value);
}

/** How a game stands or ended, in a few words. */
export function stateOf(one: TableLine): string {
  if (one.over) return one.won && !one.ranked ? say("ended.won") : one.cause || say("ended.lost");
  return one.turn ? say("turn", { n: one.turn }) : say("ended.open");
}
