import { settings } from "./settings.svelte";

/** The picture of a board at a level, in the colours that are shown. The light one is the one that the table has in every theme, so it is loaded once. */
export function boardUrl(base: string, level = ""): string {
  const [path = "", query] = base.split("?");
  const more = new URLSearchParams(query);
  if (level) more.set("level", level);
  if (settings.shown !== "light") more.set("theme", settings.shown);
  return more.size ? `${path}?${more}` : path;
}
