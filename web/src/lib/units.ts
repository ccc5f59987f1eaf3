/** How Units are told apart: a shape and a letter each, a colour on top. */
import type { UnitNow } from "../made/types";

export const LETTERS = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"] as const;

/** Circle, square, diamond, triangle, hexagon, cross, around (0, 0); the same as on printed maps. */
export const SHAPES: readonly string[] = [
  "M0-22a22 22 0 1 1 0 44 22 22 0 1 1 0-44z",
  "M-20-20H20V20H-20z",
  "M0-26L26 0 0 26-26 0z",
  "M0-27L27 20H-27z",
  "M-12-22H12L25 0 12 22H-12L-25 0z",
  "M-9-24H9V-9H24V9H9V24H-9V9H-24V-9H-9z",
];

const MARKERS: Record<string, string> = {
  "1": "chevron-1",
  "2": "chevron-2",
  "3": "chevron-3",
  move: "must-move",
  cry: "battle-cry",
  shield: "shield-black",
};

export function letterOf(seat: number): string {
  return LETTERS[seat] ?? String(seat + 1);
}

/** The picture of a Unit's marker. */
export function markerIcon(unit: Pick<UnitNow, "marker_icon">): string {
  return MARKERS[unit.marker_icon ?? ""] ?? "";
}
