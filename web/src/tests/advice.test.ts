import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fits, keysOf, percent, ranked, tips } from "../lib/advice";
import { Game } from "../lib/game.svelte";
import { settings } from "../lib/settings.svelte";
import type { Advice, AskNow } from "../made/types";
import Adviser from "../parts/Adviser.svelte";
import Tray from "../parts/Tray.svelte";
import { LOCK, OFFER, ROLL, TABLE, welcome } from "./welcome";
import { FakeWire } from "./wire";

function said(ask: AskNow, best: string, more: Partial<Advice> = {}): Advice {
  const keys = [best, ...keysOf(ask).filter((key) => key !== best)];
  const options = keys.map((key, n) => ({ key, label: `Say ${key}`, value: 0.6 - 0.1 * n, low: 0.5 - 0.1 * n, high: 0.7 - 0.1 * n }));
  return { type: "advice", n: 5, seat: ask.seat, seq: ask.seq, how: "learned", options, why: ["Because."], ...more };
}

describe("what was said", () => {
  it("belongs to one question and all of its keys", () => {
    expect(keysOf(OFFER)).toEqual(["withdraw", "give:grenade", "give:soldiers=1", "give:soldiers=2", "give:soldiers=3"]);
    expect(fits(said(OFFER, "withdraw"), OFFER)).toBe(true);
    expect(fits(said(LOCK, "lock:R1,W1"), { ...LOCK, seq: 2 })).toBe(false);
    expect(fits(said(LOCK, "lock:R1,W1"), { ...LOCK, seat: 1 })).toBe(false);
    expect(fits(said(LOCK, "lock:R1,W1"), { ...LOCK, dice: ["lock:R1,R2", "lock:R1,W1", "lock:R2,W2"] })).toBe(false);
  });

  it("is drawn on the dice", () => {
    expect(tips(LOCK, "lock:R1,W1")).toEqual(new Map([["R1", "lock"], ["W1", "lock"]]));
    expect(tips(ROLL, "roll:W1")).toEqual(new Map([["W1", "roll"], ["W2", "keep"]]));
    expect(tips(ROLL, "stop")).toEqual(new Map([["W1", "keep"], ["W2", "keep"]]));
    expect(tips(ROLL, "trade:U2").size).toBe(0);
    expect(tips(OFFER, "withdraw").size).toBe(0);
  });

  it("ranks what is as good alike, and is never sure of what is not", () => {
    const advice = said(LOCK, "lock:R1,W1");
    const equal = { ...advice, options: advice.options.map((one, n) => ({ ...one, value: n < 2 ? 0.6 : 0.5 })) };
    expect(ranked(equal).map((one) => one.rank)).toEqual([1, 1, 3]);
    expect([0, 0.0001, 0.5, 0.99999, 1].map(percent)).toEqual(["0\u00a0%", "0.1\u00a0%", "50.0\u00a0%", "99.9\u00a0%", "100\u00a0%"]);
  });
});

describe("at the table", () => {
  let wire: FakeWire;
  let game: Game;
  let parts: object[];

  function shown(part: typeof Tray | typeof Adviser): HTMLElement {
    const target = document.createElement("div");
    document.body.append(target);
    parts.push(mount(part, { target, props: { game } }));
    flushSync();
    return target;
  }

  beforeEach(() => {
    localStorage.clear();
    settings.set("motion", "none");
    parts = [];
    wire = new FakeWire();
    game = new Game("t1", "secret", () => wire);
    game.start();
    wire.open();
    wire.say({ ...welcome(5, [ROLL]), table: { ...TABLE, adviser: 0 } });
    flushSync();
  });
  afterEach(async () => {
    for (const part of parts) await unmount(part);
    game.stop();
    document.body.replaceChildren();
  });

  it("shows the best on the dice and takes it", () => {
    const tray = shown(Tray);
    const panel = shown(Adviser);
    expect(panel.textContent).toContain("The adviser looks at it…");
    wire.say(said(ROLL, "roll:W1"));
    flushSync();
    expect(tray.querySelector("[data-place=W2] .tip")?.textContent).toBe("keep");
    expect(tray.querySelector("[data-place=W2] .die-tip")).not.toBeNull();
    expect(tray.querySelector("[data-place=W1] .die-tip")).toBeNull();
    expect(panel.textContent).toContain("Because.");
    panel.querySelector<HTMLElement>("[data-act=best]")?.click();
    expect(wire.of("move")).toMatchObject([{ key: "roll:W1", seq: ROLL.seq }]);
  });

  it("forgets what was said when answers are taken back, and when it is switched off", () => {
    wire.say(said(ROLL, "roll:W1"));
    expect(game.advice).not.toBeNull();
    wire.say({ type: "update", n: 6, before: 5, taken: 1, screen: welcome(6, [ROLL]).screen });
    expect(game.advice).toBeNull();
    wire.say(said(ROLL, "roll:W2", { n: 6 }));
    expect(game.ranked[0]?.key).toBe("roll:W2");
    game.advise();
    expect(wire.of("adviser")).toMatchObject([{ on: false }]);
    wire.say({ type: "presence", table: TABLE });
    expect(game.advice).toBeNull();
    expect(game.advising).toBe(false);
  });
});
