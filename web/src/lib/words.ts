/** Messages with places to fill and forms by number, as the catalogue has them. */
export type Form = string | { zero?: string; one?: string; other: string };
export type Words = Readonly<Record<string, Form>>;
export type Args = Readonly<Record<string, string | number>>;

/** Which form is said of so many: English says `one` of 1, French of 0 and 1. */
export function numbered(lang: string, form: Form, n: number): string {
  if (typeof form === "string") return form;
  const many = Math.abs(Math.trunc(n));
  if (many === 0 && form.zero !== undefined) return form.zero;
  const one = lang === "fr" ? many <= 1 : many === 1;
  return one && form.one !== undefined ? form.one : form.other;
}

export function fill(text: string, args: Args): string {
  return text.replace(/\{(\w+)\}|\{\{|\}\}/g, (found, name: string | undefined) => {
    if (name === undefined) return found[0] ?? "";
    const value = args[name];
    return value === undefined ? found : String(value);
  });
}

/** A text as the beginning of a sentence. */
export function capital(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

/** The message of a key, in the words given or else in English. What is missing everywhere is said by its key. */
export function message(lang: string, words: Words, english: Words, key: string, args: Args = {}): string {
  const form = words[key] ?? english[key];
  if (form === undefined) return key;
  return fill(numbered(words[key] === undefined ? "en" : lang, form, Number(args["n"] ?? 2)), args);
}
