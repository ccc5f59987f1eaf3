import { STENCIL } from "../made/marks";

export interface Cut {
  d: string;
  x: number;
}

/** Letters as strokes on a grid of 60 high, side by side: capitals without accents. */
export function cut(text: string, gap = 7): { width: number; parts: Cut[] } {
  const parts: Cut[] = [];
  let x = 0;
  for (const sign of text.toUpperCase().normalize("NFD").replace(/\p{M}/gu, "")) {
    const [width, d] = STENCIL[sign] ?? STENCIL[" "] ?? [18, ""];
    if (d) parts.push({ d, x });
    x += width + gap;
  }
  return { width: Math.max(0, x - gap), parts };
}
