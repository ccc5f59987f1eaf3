import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Link } from "../lib/socket";
import { LOCK, screenWith, welcome } from "./welcome";
import { FakeWire, memory, news } from "./wire";

let wires: FakeWire[];
let kept: ReturnType<typeof memory>;
let told: ReturnType<typeof news>;

function link(): Link {
  return new Link({
    table: "t1",
    token: "secret",
    lang: "en",
    keep: kept,
    news: told,
    open: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
  });
}

function last(): FakeWire {
  const wire = wires.at(-1);
  if (!wire) throw new Error("no socket was opened");
  return wire;
}

function joined(n = 5): Link {
  const made = link();
  made.start();
  last().open();
  last().say(welcome(n));
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  kept = memory();
  told = news();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("hello", () => {
  it("says who is there, and what it has: nothing at first", () => {
    joined();
    expect(last().of("hello")).toEqual([{ type: "hello", table: "t1", token: "secret", have: -1, lang: "en", want: "screen" }]);
    expect(told.lamp).toHaveBeenLastCalledWith("in-step", "");
  });

  it("says after a cut what it has seen", () => {
    const made = joined(5);
    last().cut();
    vi.advanceTimersByTime(2000);
    last().open();
    expect(wires).toHaveLength(2);
    expect(last().of("hello")[0]).toMatchObject({ have: 5 });
    last().say({ ...welcome(6), fresh: false, log: [{ n: 1, turn: 1, text: "more" }] });
    expect(made.log.map((line) => line.n)).toEqual([0, 1]);
  });
});

describe("updates", () => {
  it("takes the next number", () => {
    const made = joined(5);
    last().say({ type: "update", n: 7, before: 5, log: [{ n: 1, turn: 1, text: "more" }], screen: { ...screenWith([]), turn: 9 } });
    expect([made.n, made.screen?.turn, made.log.length]).toEqual([7, 9, 2]);
  });

  it("asks for everything it missed when a number is left out, and takes nothing until it is told", () => {
    const made = joined(5);
    last().say({ type: "update", n: 8, before: 7, screen: { ...screenWith([]), turn: 9 } });
    expect(made.n).toBe(5);
    expect(last().of("hello").at(-1)).toMatchObject({ have: 5 });
    last().say({ type: "update", n: 9, before: 8, screen: { ...screenWith([]), turn: 10 } });
    expect(made.screen?.turn).toBe(1);
    last().say(welcome(9));
    expect(made.n).toBe(9);
  });

  it("does not take the same update twice", () => {
    const made = joined(5);
    const update = { type: "update", n: 6, before: 5, log: [{ n: 1, turn: 1, text: "more" }] };
    last().say(update);
    last().say(update);
    expect(made.log).toHaveLength(2);
    expect(last().of("hello")).toHaveLength(1);
  });

  it("drops the lines that were taken back", () => {
    const made = joined(5);
    last().say({ type: "update", n: 6, before: 5, log: [1, 2, 3].map((n) => ({ n, turn: 1, text: `line ${n}` })) });
    last().say({ type: "update", n: 7, before: 6, taken: 2, log: [{ n: 2, turn: 1, text: "other" }] });
    expect(made.log.map((line) => line.text)).toEqual(["Turn 1", "line 1", "other"]);
  });

  it("asks again when an answer is acknowledged at a number that never came", () => {
    const made = joined(5);
    const id = made.move(LOCK, "lock:R1,R2", "");
    last().say({ type: "ack", id, n: 6 });
    expect(made.waits(0)).toBe(true);
    expect(kept.all.size).toBe(0);
    expect(last().of("hello")).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(last().of("hello")).toHaveLength(2);
    last().say(welcome(6));
    expect(made.waits(0)).toBe(false);
    expect(last().of("move")).toHaveLength(1);
  });
});

describe("moves", () => {
  it("are pending until they are acknowledged", () => {
    const made = joined(5);
    const id = made.move(LOCK, "lock:R1,R2", "Lock 2 dice");
    expect(last().of("move")).toEqual([{ type: "move", base: 5, seat: 0, seq: 1, key: "lock:R1,R2", id }]);
    expect(made.waits(0)).toBe(true);
    last().say({ type: "ack", id, n: 5 });
    expect(made.waits(0)).toBe(false);
    expect(kept.all.size).toBe(0);
  });

  it("are settled by the update that they led to", () => {
    const made = joined(5);
    const id = made.move(LOCK, "lock:R1,R2", "");
    last().say({ type: "update", n: 6, before: 5, by: id, screen: screenWith([]) });
    expect(made.waits(0)).toBe(false);
  });

  it("of one seat go one at a time", () => {
    const made = joined(5);
    made.move(LOCK, "lock:R1,R2", "");
    expect(made.move(LOCK, "lock:R1,W1", "")).toBe("");
    expect(last().of("move")).toHaveLength(1);
  });

  it("are sent again after a cut, with the same id", () => {
    const made = joined(5);
    const id = made.move(LOCK, "lock:R1,R2", "");
    last().cut();
    vi.advanceTimersByTime(2000);
    last().open();
    expect(last().of("move")).toEqual([]);
    last().say(welcome(5));
    expect(last().of("move")).toMatchObject([{ id, key: "lock:R1,R2" }]);
  });

  it("that were not sent outlive the page", () => {
    const made = joined(5);
    last().cut();
    const id = made.move(LOCK, "lock:R1,R2", "Lock 2 dice");
    made.stop();
    const later = link();
    expect(later.unsent).toMatchObject([{ id, label: "Lock 2 dice" }]);
    later.start();
    last().open();
    last().say(welcome(5));
    expect(last().of("move")).toMatchObject([{ id }]);
  });

  it("that are refused are told with their reason, and the table is asked for if it went on", () => {
    const made = joined(5);
    const id = made.move(LOCK, "lock:R1,R2", "");
    last().say({ type: "refused", id, code: "stale", text: "The table has gone on.", n: 7 });
    expect(made.waits(0)).toBe(false);
    expect(told.refused.mock.calls[0]?.[0]).toMatchObject({ text: "The table has gone on." });
    expect(last().of("hello")).toHaveLength(2);
  });

  it("wait a little when the server asks for that", () => {
    const made = joined(5);
    const id = made.move(LOCK, "lock:R1,R2", "");
    last().say({ type: "refused", id, code: "slow-down", text: "Slow down." });
    expect(made.waits(0)).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(last().of("move").map((one) => one["id"])).toEqual([id, id]);
    expect(told.refused).not.toHaveBeenCalled();
  });
});

it("an acknowledgement before its update asks for nothing, and holds the seat until the update is there", () => {
  const made = joined(5);
  const id = made.move(LOCK, "lock:R1,R2", "");
  last().say({ type: "ack", id, n: 6 });
  expect(made.waits(0)).toBe(true);
  last().say({ type: "update", n: 6, before: 5, by: id, screen: screenWith([]) });
  expect(made.waits(0)).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(last().of("hello")).toHaveLength(1);
});

describe("the lamp", () => {
  it("goes out within three seconds of silence", () => {
    joined();
    vi.advanceTimersByTime(3000);
    expect(told.lamp).toHaveBeenCalledWith("lost", "");
  });

  it("stays lit while the server answers pings", () => {
    joined();
    for (let second = 0; second < 10; second += 1) {
      vi.advanceTimersByTime(1000);
      last().say({ type: "pong", t: 0 });
    }
    expect(last().of("ping").length).toBeGreaterThan(4);
    expect(told.lamp).not.toHaveBeenCalledWith("lost", "");
  });

  it("comes back by itself, more patiently each time", () => {
    joined();
    last().cut();
    const opened: number[] = [];
    for (let tenth = 0; tenth < 300; tenth += 1) {
      const before = wires.length;
      vi.advanceTimersByTime(100);
      if (wires.length > before) {
        opened.push(tenth);
        last().cut();
      }
    }
    const waits = opened.slice(1).map((at, n) => at - (opened[n] ?? 0));
    expect(waits.length).toBeGreaterThan(3);
    expect(waits.at(-1)).toBeGreaterThan(waits[0] ?? 0);
  });

  it("says why the server ended it, and does not try again", () => {
    const made = joined();
    last().say({ type: "bye", text: "There is no such table." });
    vi.advanceTimersByTime(20000);
    expect(made.lamp).toBe("ended");
    expect(told.lamp).toHaveBeenLastCalledWith("ended", "There is no such table.");
    expect(wires).toHaveLength(1);
  });
});

it("answers why, and with nothing when the line breaks", async () => {
  const made = joined();
  const answer = made.why(0, "defence", { sector: "2" });
  const id = last().of("why")[0]?.["id"];
  last().say({ type: "because", id, title: "DEF", value: 4, lines: [] });
  expect((await answer)?.value).toBe(4);
  const none = made.why(0, "defence");
  last().cut();
  expect(await none).toBeNull();
});
