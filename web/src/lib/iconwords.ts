/** A sentence with the icons of the results it names. The words are those of the catalogue, in any language. */
import { say } from "./say.svelte";

const FACES = ["skull", "star", "soldier1", "courage", "tool"] as const;

export interface Piece {
  icon: string;
  text: string;
}

/** Cut a sentence before every word that has an icon. */
export function withIcons(text: string): Piece[] {
  const icons = new Map<string, string>(FACES.map((face) => [say(`face.${face}`).replace(/^\d+\s*/, "").toLowerCase(), face]));
  const words = [...icons.keys()].join("|");
  const found = new RegExp(`(?<!\\p{L})(${words})(?=s?(?!\\p{L}))`, "giu");
  const pieces: Piece[] = [];
  let from = 0;
  let icon = "";
  for (const hit of text.matchAll(found)) {
    if (hit.index > from) pieces.push({ icon, text: text.slice(from, hit.index) });
    from = hit.index;
    icon = icons.get((hit[1] ?? "").toLowerCase()) ?? "";
  }
  pieces.push({ icon, text: text.slice(from) });
  return pieces;
}
