import { speech, wanted } from "./say.svelte";

export type Theme = "system" | "light" | "dark" | "contrast";
export type Motion = "system" | "full" | "fast" | "none";

interface Kept {
  theme: Theme;
  motion: Motion;
  sounds: boolean;
  volume: number;
  letters: boolean;
  grouped: boolean;
  wake: boolean;
  hints: boolean;
  folded: boolean;
  lang: string;
  name: string;
}

const PLACE = "beachhead.settings";

function kept(): Partial<Kept> {
  try {
    return (JSON.parse(localStorage.getItem(PLACE) ?? "{}") ?? {}) as Partial<Kept>;
  } catch {
    return {};
  }
}

class Settings {
  theme = $state<Theme>("system");
  motion = $state<Motion>("system");
  sounds = $state(false);
  /** Of 100. */
  volume = $state(60);
  letters = $state(true);
  /** The dice lie by face instead of by colour. */
  grouped = $state(false);
  wake = $state(false);
  hints = $state(true);
  /** What the adviser says on a phone shows its first line only. */
  folded = $state(true);
  lang = $state("en");
  name = $state("");

  constructor() {
    const found = kept();
    this.theme = found.theme ?? "system";
    this.motion = found.motion ?? "system";
    this.sounds = found.sounds ?? false;
    this.volume = found.volume ?? 60;
    this.letters = found.letters ?? true;
    this.grouped = found.grouped ?? false;
    this.wake = found.wake ?? false;
    this.hints = found.hints ?? true;
    this.folded = found.folded ?? true;
    this.name = found.name ?? "";
    this.lang = found.lang ?? wanted(navigator.languages ?? [navigator.language]);
  }

  /** The theme that is shown. */
  get shown(): Exclude<Theme, "system"> {
    if (this.theme !== "system") return this.theme;
    if (matchMedia("(prefers-contrast: more)").matches) return "contrast";
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  get moves(): boolean {
    if (this.motion !== "system") return this.motion !== "none";
    return !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** How long dice tumble, in milliseconds. */
  get tumble(): number {
    return this.moves ? (this.motion === "fast" ? 200 : 450) : 0;
  }

  apply(): void {
    const root = document.documentElement;
    root.dataset["theme"] = this.shown;
    for (const theme of ["light", "dark", "contrast"]) root.classList.toggle(`theme-${theme}`, theme === this.shown);
    root.dataset["motion"] = this.moves ? "full" : "none";
    try {
      const { theme, motion, sounds, volume, letters, grouped, wake, hints, folded, lang, name } = this;
      localStorage.setItem(PLACE, JSON.stringify({ theme, motion, sounds, volume, letters, grouped, wake, hints, folded, lang, name }));
    } catch {
      // it holds for this page only
    }
  }

  set<K extends keyof Kept>(name: K, value: Kept[K]): void {
    (this as Kept)[name] = value;
    this.apply();
    if (name === "lang") void speech.speak(this.lang);
  }

  nextTheme(): void {
    const order = ["light", "dark", "contrast"] as const;
    this.set("theme", order[(order.indexOf(this.shown) + 1) % 3] ?? "light");
  }
}

export const settings = new Settings();
