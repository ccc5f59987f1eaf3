import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Game, ROLL_MS } from "../lib/game.svelte";
import { settings } from "../lib/settings.svelte";
import Options from "../parts/Options.svelte";
import Tray from "../parts/Tray.svelte";
import { LOCK, OFFER, ROLL, screenWith, welcome } from "./welcome";
import { FakeWire } from "./wire";

let wire: FakeWire;
let game: Game;
let parts: object[];

function seated(ask = LOCK): void {
  wire = new FakeWire();
  game = new Game("t1", "secret", () => wire);
  game.start();
  wire.open();
  wire.say(welcome(5, [ask]));
  flushSync();
}

function shown<P extends object>(part: Component<P>, props: P): HTMLElement {
  const target = document.createElement("div");
  document.body.append(target);
  parts.push(mount(part as Component<Record<string, unknown>>, { target, props: props as Record<string, unknown> }));
  flushSync();
  return target;
}

function press(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) throw new Error("there is nothing to press");
  element.click();
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  parts = [];
  settings.set("motion", "none");
});
afterEach(async () => {
  for (const part of parts) await unmount(part);
  game.stop();
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("the tray", () => {
  it("composes an answer by touching dice", () => {
    seated();
    const tray = shown(Tray, { game });
    const list = shown(Options, { game, ask: LOCK });
    const act = (): Element | null => list.querySelector("[data-act=dice]");
    expect(act()?.getAttribute("aria-disabled")).toBe("true");
    expect(act()?.textContent).toContain("Lock 2 more dice");
    press(tray.querySelector("[data-place=W1]"));
    press(tray.querySelector("[data-place=R1]"));
    expect(tray.querySelector("[data-place=R1]")?.getAttribute("aria-pressed")).toBe("true");
    press(act());
    expect(wire.of("move")).toMatchObject([{ key: "lock:R1,W1", seat: 0, seq: 1, base: 5 }]);
  });

  it("does not take dice that no answer names", () => {
    seated();
    const tray = shown(Tray, { game });
    press(tray.querySelector("[data-place=B2]"));
    expect(tray.querySelector("[data-place=B2]")?.getAttribute("aria-pressed")).toBe("false");
    expect(tray.querySelector("[data-place=B2]")?.getAttribute("aria-disabled")).toBe("true");
  });

  it("says each die with its colour, face and state", () => {
    seated(ROLL);
    const tray = shown(Tray, { game });
    expect(tray.querySelector("[data-place=W1] .vh")?.textContent).toBe("white die 1: W1 skull re-roll");
    press(tray.querySelector("[data-place=W1]"));
    expect(tray.querySelector("[data-place=W1] .vh")?.textContent).toBe("white die 1: W1 skull kept");
  });

  it("keeps what was kept for the next roll", () => {
    seated(ROLL);
    shown(Tray, { game });
    game.touch("W2");
    game.throwChosen();
    const id = wire.of("move")[0]?.["id"] as string;
    expect(wire.of("move")[0]).toMatchObject({ key: "roll:W1" });
    wire.say({ type: "update", n: 6, before: 5, by: id, screen: screenWith([{ ...ROLL, seq: 9 }]) });
    flushSync();
    expect([...game.chosenFor({ ...ROLL, seq: 9 })]).toEqual(["W1"]);
  });
});

describe("waiting", () => {
  it("nothing can be answered twice while an answer is under way", () => {
    seated(ROLL);
    const list = shown(Options, { game, ask: ROLL });
    press(list.querySelector("[data-key=stop]"));
    expect(game.busy).toBe(true);
    expect(list.querySelector("[data-key=stop]")?.getAttribute("aria-disabled")).toBe("true");
    press(list.querySelector("[data-key=stop]"));
    expect(wire.of("move")).toHaveLength(1);
  });

  it("shows a roll only when the dice have come to rest, at most 600 ms later, or at once on a touch", () => {
    settings.set("motion", "full");
    seated(ROLL);
    const line = { n: 1, turn: 1, text: "rolls", fx: { dice: { seat: 0, rolled: ["W1"], faces: [] } } };
    const next = (n: number, turn: number) => ({ type: "update", n, before: n - 1, log: [{ ...line, n }], screen: { ...screenWith([ROLL]), turn } });
    wire.say(next(6, 2));
    expect(game.screen?.turn).toBe(1);
    expect([...game.rolling]).toEqual(["0:W1"]);
    vi.advanceTimersByTime(ROLL_MS);
    expect(game.screen?.turn).toBe(2);
    expect(ROLL_MS).toBeLessThanOrEqual(600);
    wire.say(next(7, 3));
    game.settle();
    expect(game.screen?.turn).toBe(3);
    expect(game.rolling.size).toBe(0);
  });

  it("shows a roll at once where nothing shall move", () => {
    seated(ROLL);
    const line = { n: 1, turn: 1, text: "rolls", fx: { dice: { seat: 0, rolled: ["W1"], faces: [] } } };
    wire.say({ type: "update", n: 6, before: 5, log: [line], screen: { ...screenWith([ROLL]), turn: 2 } });
    expect(game.screen?.turn).toBe(2);
    expect(game.narration).toBe("rolls");
  });
});

it("amounts go up and down and are answered with one key", () => {
  seated(OFFER);
  const list = shown(Options, { game, ask: OFFER });
  const [less, more, add] = [...list.querySelectorAll(".stepper button")];
  expect(less?.getAttribute("aria-disabled")).toBe("true");
  press(more);
  press(more);
  press(more);
  expect(add?.getAttribute("data-key")).toBe("give:soldiers=3");
  press(add);
  expect(wire.of("move")).toMatchObject([{ key: "give:soldiers=3" }]);
});

it("what may not be done stands there with its reason and its rule", () => {
  seated(OFFER);
  const list = shown(Options, { game, ask: OFFER });
  expect(list.querySelector(".nots")?.textContent).toContain("The offer is empty");
  expect(list.querySelector(".nots [data-rule]")?.getAttribute("data-rule")).toBe("F-TRADE-02");
});
