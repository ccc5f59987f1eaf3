/** A few short sounds, made on the spot; silent until wanted. */
import { settings } from "./settings.svelte";

const TUNES: Record<string, readonly [number, number, OscillatorType][]> = {
  roll: [
    [180, 0.03, "square"],
    [240, 0.03, "square"],
    [140, 0.05, "square"],
  ],
  turn: [
    [523, 0.09, "sine"],
    [659, 0.14, "sine"],
  ],
  loss: [
    [196, 0.12, "triangle"],
    [147, 0.2, "triangle"],
  ],
};

let context: AudioContext | null = null;

export function ring(name: keyof typeof TUNES): void {
  if (!settings.sounds || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length, shape] of TUNES[name] ?? []) {
    const tone = context.createOscillator();
    const loud = context.createGain();
    tone.type = shape;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.07, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(loud).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
