/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import english from "../made/english.json";
import { capital, fill, message, numbered, type Words } from "../lib/words";
import { step, stepKey, within } from "../lib/steppers";

const DICE = { zero: "no dice", one: "{n} die", other: "{n} dice" };

describe("numbers", () => {
  it("are said as English says them", () => {
    expect([0, 1, 2].map((n) => numbered("en", DICE, n))).toEqual(["no dice", "{n} die", "{n} dice"]);
    expect(numbered("en", { one: "a", other: "b" }, 0)).toBe("b");
  });

  it("are said as French says them: none is one", () => {
    expect([0, 1, 2].map((n) => numbered("fr", { one: "dé", other: "dés" }, n))).toEqual(["dé", "dé", "dés"]);
  });
});

describe("messages", () => {
  it("have their places filled", () => {
    expect(fill("{a} and {b} {{c}}", { a: 1, b: "x" })).toBe("1 and x {c}");
    expect(fill("{a} {b}", { a: "A" })).toBe("A {b}");
  });

  it("have one number each", () => {
    const words = english as Words;
    expect(message("en", words, words, "ui.dice.wait", { n: 1 })).toBe("Longest wait for it: 1 throw.");
    expect(message("en", words, words, "ui.dice.wait-chance", { n: 1, percent: 83 })).toMatch(/^In 1 throw a wait/);
    expect(message("en", words, words, "ui.dice.wait-chance", { n: 2, percent: 83 })).toMatch(/^In 2 throws a wait/);
  });

  it("begin a sentence with a capital letter", () => {
    expect(["l'Unité 1 a été anéantie.", "était", ""].map(capital)).toEqual(["L'Unité 1 a été anéantie.", "Était", ""]);
  });

  it("are said in English where the language has none, with English numbers", () => {
    expect(message("fr", {}, { k: { one: "{n} die", other: "{n} dice" } }, "k", { n: 0 })).toBe("0 dice");
    expect(message("fr", {}, {}, "missing")).toBe("missing");
  });
});

it("every message that the client says is in the catalogue", () => {
  const files = import.meta.glob<string>(["../**/*.svelte", "../lib/*.ts", "../App.svelte"], { query: "?raw", import: "default", eager: true });
  const words = english as Words;
  const missing: string[] = [];
  let seen = 0;
  for (const [file, text] of Object.entries(files)) {
    for (const call of text.matchAll(/\bsay\(([^()]*)/g)) {
      const first = (call[1] ?? "").split(/[,{]/, 1).join("").replace(/[=!]==\s*(["']).*?\1/g, "");
      for (const [, , key] of first.matchAll(/(["'])([a-z][\w.-]*)\1/g)) {
        seen += 1;
        if (key && words[`ui.${key}`] === undefined && !key.startsWith("ui.")) missing.push(`${file}: ${key}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(seen).toBeGreaterThan(200);
});

describe("steppers", () => {
  const stepper = { verb: "give", name: "soldiers", label: "Give Soldiers", most: 3 };

  it("make the key of their amount", () => {
    expect(stepKey(stepper, 2)).toBe("give:soldiers=2");
  });

  it("stay between one and the most there is", () => {
    expect([step(stepper, 1, -1), step(stepper, 1, 1), step(stepper, 3, 1)]).toEqual([1, 2, 3]);
    expect([within(stepper, 0), within(stepper, 99), within(stepper, Number.NaN)]).toEqual([1, 3, 1]);
  });
});
