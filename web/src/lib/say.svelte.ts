import english from "../made/english.json";
import { message, type Args, type Words } from "./words";

export const LANGUAGES: Readonly<Record<string, string>> = { en: "English", fr: "Français" };

class Speech {
  lang = $state("en");
  words = $state.raw<Words>(english as Words);

  async speak(lang: string): Promise<void> {
    document.documentElement.lang = lang === "xx" ? "en" : lang;
    if (lang === "en") {
      this.lang = "en";
      this.words = english as Words;
    }
    try {
      const answer = await fetch(`/api/messages?lang=${encodeURIComponent(lang)}`);
      if (!answer.ok) return;
      const found: unknown = await answer.json();
      if (!found || typeof found !== "object") return;
      const words = found as Record<string, unknown>;
      this.words = (words["messages"] && typeof words["messages"] === "object" ? words["messages"] : words) as Words;
      this.lang = lang;
    } catch {
      // without the server the page speaks English
    }
  }
}

export const speech = new Speech();

/** `say("ui.roll.again", {n: 3})` in the language that is spoken. */
export function say(key: string, args: Args = {}): string {
  return message(speech.lang, speech.words, english as Words, key.startsWith("ui.") ? key : `ui.${key}`, args);
}

/** The first language that we speak of those that the browser wants. */
export function wanted(languages: readonly string[]): string {
  for (const one of languages) {
    const lang = one.toLowerCase().split("-")[0] ?? "";
    if (lang in LANGUAGES || lang === "xx") return lang;
  }
  return "en";
}
