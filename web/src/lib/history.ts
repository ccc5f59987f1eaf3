/** Games that were played, counted. */
import type { TableLine } from "./api";
import { say, speech } from "./say.svelte";

export interface MapRecord {
  map: string;
  name: string;
  plays: number;
  won: number;
  lost: number;
  best: number | null;
  causes: Map<string, number>;
}

export function perMap(tables: readonly TableLine[]): Map<string, MapRecord> {
  const out = new Map<string, MapRecord>();
  for (const one of tables) {
    if (!one.over || one.practice) continue;
    const key = `${one.edition}/${one.map}`;
    const found = out.get(key) ?? { map: key, name: one.map_name || one.title, plays: 0, won: 0, lost: 0, best: null, causes: new Map() };
    found.plays += 1;
    if (one.won) found.won += 1;
    else found.lost += 1;
    if (one.scores?.length) found.best = Math.max(found.best ?? -Infinity, Math.min(...one.scores));
    const cause = one.cause_name ?? one.cause ?? (one.won ? "won" : "lost");
    found.causes.set(cause, (found.causes.get(cause) ?? 0) + 1);
    out.set(key, found);
  }
  return out;
}

function causeName(one: TableLine): string {
  if (one.won) return say("ended.won");
  return one.cause_name ?? (one.cause ? say(`cause.${one.cause}`) : say("ended.lost"));
}

/** How games ended, the most frequent first. */
export function ends(tables: readonly TableLine[]): { key: string; name: string; n: number; won: boolean }[] {
  const out = new Map<string, { key: string; name: string; n: number; won: boolean }>();
  for (const one of tables) {
    const key = one.won ? "won" : (one.cause ?? "lost");
    const found = out.get(key) ?? { key, name: causeName(one), n: 0, won: one.won ?? false };
    found.n += 1;
    out.set(key, found);
  }
  return [...out.values()].sort((a, b) => b.n - a.n);
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
