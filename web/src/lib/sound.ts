/** Short sounds, made on the spot: none before they are wanted and somebody has touched the page. */
import type { Line } from "../made/types";
import { settings } from "./settings.svelte";

type Tune = readonly (readonly [pitch: number, seconds: number, shape: OscillatorType])[];

const TUNES = {
  roll: [[180, 0.03, "square"], [240, 0.03, "square"], [140, 0.05, "square"]],
  rest: [[110, 0.06, "triangle"]],
  turn: [[523, 0.09, "sine"], [659, 0.14, "sine"]],
  gain: [[440, 0.06, "sine"], [587, 0.08, "sine"]],
  loss: [[196, 0.12, "triangle"], [147, 0.2, "triangle"]],
  card: [[392, 0.04, "triangle"], [494, 0.06, "triangle"]],
  move: [[262, 0.05, "triangle"], [294, 0.05, "triangle"], [330, 0.06, "triangle"]],
  fire: [[90, 0.04, "sawtooth"], [80, 0.04, "sawtooth"], [90, 0.04, "sawtooth"]],
  back: [[330, 0.06, "sine"], [262, 0.08, "sine"]],
  said: [[784, 0.05, "sine"]],
  won: [[392, 0.14, "sine"], [494, 0.14, "sine"], [587, 0.26, "sine"]],
  lost: [[294, 0.18, "triangle"], [247, 0.18, "triangle"], [196, 0.34, "triangle"]],
} satisfies Record<string, Tune>;

export type Sound = keyof typeof TUNES;

/** What a change of the table sounds like: one sound, that of the gravest thing in it. */
export function soundOf(lines: readonly Line[], mine: readonly number[]): Sound | "" {
  const found = new Set<Sound>();
  for (const line of lines) {
    const fx = line.fx ?? {};
    const change = fx["change"] as Record<string, number> | undefined;
    if (change && mine.includes(change["seat"] ?? -1)) {
      const sum = Object.entries(change).reduce((total, [name, n]) => (name === "seat" ? total : total + (Number(n) || 0)), 0);
      if (sum) found.add(sum < 0 ? "loss" : "gain");
    }
    if (line.kind === "combat") found.add("loss");
    if (fx["fire"] || fx["pips"]) found.add("fire");
    if (fx["card"]) found.add("card");
    if (fx["move"]) found.add("move");
  }
  return (["loss", "fire", "card", "move", "gain"] as const).find((one) => found.has(one)) ?? "";
}

let context: AudioContext | null = null;
let touched = false;

if (typeof addEventListener === "function") {
  for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => (touched = true), { capture: true });
}

export function ring(name: Sound | ""): void {
  if (!name || !settings.sounds || !settings.volume || !touched || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length, shape] of TUNES[name]) {
    const tone = context.createOscillator();
    const loud = context.createGain();
    tone.type = shape;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0012 * settings.volume, at);
    loud.gain.exponentialRampToValueAtTime(0.0004, at + length);
    tone.connect(loud).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
