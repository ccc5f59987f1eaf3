import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Game } from "../lib/game.svelte";
import { settings } from "../lib/settings.svelte";
import { withIcons } from "../lib/iconwords";
import { soundOf } from "../lib/sound";
import type { CardNow, Line, UnitNow } from "../made/types";
import Back from "../parts/Back.svelte";
import Options from "../parts/Options.svelte";
import Tray from "../parts/Tray.svelte";
import UnitPanel from "../parts/UnitPanel.svelte";
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

describe("what the choice comes to", () => {
  const asked = (): { id: string; dice: string[] }[] => wire.of("why") as unknown as { id: string; dice: string[] }[];
  const answer = (id: string, value: number, text: string): void => {
    wire.say({ type: "because", id, title: "These dice alone", value, lines: [{ text }] });
  };

  it("is asked of the server with every touch, and only the last answer counts", async () => {
    seated();
    const tray = shown(Tray, { game });
    press(tray.querySelector("[data-place=R1]"));
    press(tray.querySelector("[data-place=W1]"));
    expect(asked().map(({ dice }) => dice)).toEqual([[], ["R1"], ["R1", "W1"]]);
    answer(asked()[1]?.id ?? "", 1, "1 Courage.");
    answer(asked()[2]?.id ?? "", 2, "1 Courage, 1 Tool.");
    await vi.advanceTimersByTimeAsync(0);
    flushSync();
    expect(tray.querySelector(".chosen")?.textContent).toBe("These dice alone: 1 Courage, 1 Tool.");
  });

  it("is not shown where nothing is chosen or the server does not say", async () => {
    seated();
    const tray = shown(Tray, { game });
    answer(asked()[0]?.id ?? "", 0, "Nothing.");
    await vi.advanceTimersByTimeAsync(0);
    flushSync();
    expect(tray.querySelector(".chosen")).toBeNull();
    press(tray.querySelector("[data-place=R1]"));
    wire.say({ type: "refused", id: asked()[1]?.id ?? "", code: "invalid", text: "no" });
    await vi.advanceTimersByTimeAsync(0);
    expect(game.notice).toBe("");
  });
});

describe("keeping a die by its number and Shift", () => {
  it("keeps it whatever it was", () => {
    seated(ROLL);
    for (let n = 0; n < 2; n += 1) {
      game.hold("W1");
      expect([...game.chosenFor(ROLL)]).toEqual(["W2"]);
    }
    seated();
    for (let n = 0; n < 2; n += 1) {
      game.hold("R1");
      expect([...game.chosenFor(LOCK)]).toEqual(["R1"]);
    }
  });
});

describe("the way back", () => {
  const said = (more: object): void => {
    wire.say({ type: "update", n: 6, before: 5, screen: { ...screenWith([LOCK]), ...more } });
    flushSync();
  };

  it("brings back what was taken", () => {
    seated();
    const back = shown(Back, { game });
    expect(back.querySelector("button")).toBeNull();
    said({ redo: { "0": "Lock R1" } });
    expect(back.textContent).toContain("Redo: Lock R1");
    press(back.querySelector("button"));
    expect(wire.of("undo")).toMatchObject([{ seat: 0, back: false }]);
  });

  it("asks before it takes back what was seen, and sends nothing until then", () => {
    seated();
    const back = shown(Back, { game });
    said({ beyond: { "0": "Roll R2" } });
    press(back.querySelector("button.seen"));
    expect(wire.of("undo")).toEqual([]);
    expect(back.textContent).toContain("Roll R2");
    press(back.querySelector("[data-act=beyond]"));
    expect(wire.of("undo")).toMatchObject([{ seat: 0, beyond: true }]);
  });

  it("says that something was taken back", () => {
    seated();
    wire.say({ type: "update", n: 6, before: 5, taken: 1, screen: screenWith([LOCK]) });
    expect(game.narration).toBe("An answer was taken back.");
  });
});

it("lights up the tray after a roll that changes no face", () => {
  seated(ROLL);
  const tray = shown(Tray, { game });
  const line = { n: 1, turn: 1, text: "rolls", fx: { dice: { seat: 0, rolled: ["W1"], faces: [] } } };
  expect(tray.querySelector(".flash")).toBeNull();
  for (const n of [6, 7]) {
    wire.say({ type: "update", n, before: n - 1, log: [{ ...line, n }], screen: screenWith([{ ...ROLL, seq: n }]) });
    flushSync();
    expect(tray.querySelector(".flash")).not.toBeNull();
    vi.advanceTimersByTime(1000);
    flushSync();
    expect(tray.querySelector(".flash")).toBeNull();
  }
});

describe("sounds", () => {
  const fx = (what: object, kind = ""): Line => ({ n: 1, turn: 1, text: "", kind, fx: what as Record<string, unknown> });

  it("are those of the gravest thing that happened", () => {
    expect(soundOf([], [0])).toBe("");
    expect(soundOf([fx({ change: { seat: 0, soldiers: 3 } })], [0])).toBe("gain");
    expect(soundOf([fx({ change: { seat: 1, soldiers: 3 } })], [0])).toBe("");
    expect(soundOf([fx({ move: { seat: 1 } }), fx({ change: { seat: 0, soldiers: -2 } })], [0])).toBe("loss");
    expect(soundOf([fx({ card: {} }), fx({ move: {} })], [0])).toBe("card");
    expect(soundOf([fx({ fire: {} }), fx({ card: {} })], [0])).toBe("fire");
  });
});

it("has a Unit on the board when the log tells where it landed, and from turn 1 on", () => {
  seated();
  const before = { ...screenWith([]), turn: 0 };
  wire.say({ type: "update", n: 6, before: 5, screen: before });
  expect(game.ashore).toEqual([]);
  const landed: Line = { n: 6, turn: 0, text: "", fx: { move: { seat: 0, from: "", to: "1" } } };
  wire.say({ type: "update", n: 7, before: 6, log: [landed], screen: before });
  expect(game.ashore).toHaveLength(1);
  wire.say({ type: "update", n: 8, before: 7, taken: 6, screen: before });
  expect(game.ashore).toEqual([]);
  wire.say({ type: "update", n: 9, before: 8, screen: screenWith([]) });
  expect(game.ashore).toHaveLength(1);
});

it("says no more that it is one's turn when the game is over", () => {
  seated();
  wire.say({ type: "update", n: 6, before: 5, screen: screenWith([]) });
  wire.say({ type: "update", n: 7, before: 6, screen: screenWith([LOCK]) });
  expect(game.urgent).toContain("It is your turn.");
  wire.say({ type: "update", n: 8, before: 7, screen: { ...screenWith([]), over: { won: false, cause: "wiped-out", title: "Defeat", text: "" } } });
  expect(game.urgent).toBe("");
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
    expect(game.narration).toBe("");
    vi.advanceTimersByTime(600);
    expect(game.screen?.turn).toBe(2);
    expect(game.narration).toBe("rolls");
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

describe("a card", () => {
  const card: CardNow = { id: "piper", name: "Piper", kind: "specialist", kind_name: "Specialist", text: "Gain 1 Courage and 2 Stars.", place: "specialists" };
  const faces = (key: string): HTMLElement => {
    const ask = { ...OFFER, name: "any", options: [{ key, label: `Answer ${key}`, card: "piper" }], steppers: [], nots: [] };
    seated(ask);
    const unit = { ...(game.unit as UnitNow), cards: [card] };
    return shown(UnitPanel, { game, unit });
  };

  it("is raised and has a button where it can be used, with the words of the answer", () => {
    const panel = faces("use:piper");
    expect(panel.querySelector(".card")?.classList).toContain("ready");
    press(panel.querySelector(".card .btn"));
    expect(wire.of("move")).toMatchObject([{ key: "use:piper" }]);
  });

  it("is not offered for use where it is only named, as when somebody falls", () => {
    const panel = faces("lose:piper");
    expect(panel.querySelector(".card")?.classList).not.toContain("ready");
    expect(panel.querySelector(".card .btn")).toBeNull();
  });

  it("has the icons of the results in its sentence, and keeps the sentence", () => {
    expect(withIcons(card.text)).toEqual([
      { icon: "", text: "Gain 1 " },
      { icon: "courage", text: "Courage and 2 " },
      { icon: "star", text: "Stars." },
    ]);
    expect(withIcons("Starting over")).toEqual([{ icon: "", text: "Starting over" }]);
    expect(faces("use:piper").querySelector(".text")?.textContent).toBe(card.text);
  });
});
