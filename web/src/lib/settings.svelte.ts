import { speech, wanted } from "./say.svelte";

export type Theme = "system" | "light" | "dark" | "contrast";
export type Motion = "system" | "full" | "none";

interface Kept {
  theme: Theme;
  motion: Motion;
  sounds: boolean;
  letters: boolean;
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
  letters = $state(true);
  lang = $state("en");
  name = $state("");

  constructor() {
    const found = kept();
    this.theme = found.theme ?? "system";
    this.motion = found.motion ?? "system";
    this.sounds = found.sounds ?? false;
    this.letters = found.letters ?? true;
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
    if (this.motion !== "system") return this.motion === "full";
    return !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  apply(): void {
    const root = document.documentElement;
    root.dataset["theme"] = this.shown;
    for (const theme of ["light", "dark", "contrast"]) root.classList.toggle(`theme-${theme}`, theme === this.shown);
    root.dataset["motion"] = this.moves ? "full" : "none";
    try {
      const { theme, motion, sounds, letters, lang, name } = this;
      localStorage.setItem(PLACE, JSON.stringify({ theme, motion, sounds, letters, lang, name }));
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
