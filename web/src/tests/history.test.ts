import { beforeEach, describe, expect, it } from "vitest";
import type { TableLine } from "../lib/api";
import { asCsv, asJson, counted, ends, rateWords, standings } from "../lib/history";
import { deleteData, exportData, importData } from "../lib/mydata";
import { firstOfTurn, readRecord } from "../lib/record";

let clock = 0;

function game(won: boolean | null, more: Partial<TableLine> = {}): TableLine {
  clock += 1;
  return {
    table: `t${clock}`, game: "landing", board: "", title: "Exercise Tiger", edition: "first", edition_name: "First edition", map: "n01", map_name: "Exercise Tiger",
    level: "", level_name: "", players: 1, names: [], created: clock, changed: clock, n: 9, turn: 10, waiting: [],
    over: won !== null, won, cause: won === false ? "Wiped out" : "", vp: null, undone: 0, practice: false, closed: false, fork: "", mine: true,
    ...more,
  };
}

beforeEach(() => {
  clock = 0;
  localStorage.clear();
});

describe("how things stand", () => {
  it("counts finished games that are no practice", () => {
    const all = [game(true), game(false), game(null), game(true, { practice: true })];
    expect(counted(all).map((one) => one.table)).toEqual(["t1", "t2"]);
    expect(standings(all)).toMatchObject([{ plays: 2, won: 1 }]);
  });

  it("keeps editions apart, and levels and numbers of Units where that is wanted", () => {
    const all = [game(true), game(true, { edition: "second" }), game(true, { level: "practice-run" }), game(true, { players: 4 })];
    expect(standings(all, "map").map((one) => one.plays)).toEqual([3, 1]);
    expect(standings(all, "level").map((one) => one.plays)).toEqual([2, 1, 1]);
    expect(standings(all, "players")).toHaveLength(4);
  });

  it("knows the streak, the longest one and the last ten, whatever order the rows come in", () => {
    const ends = [true, true, true, false, true, true, false, false, true, true, false, false];
    const all = ends.map((won) => game(won));
    const [found] = standings([...all].reverse());
    expect(found).toMatchObject({ plays: 12, won: 7, streak: -2, longest: 3 });
    expect(found?.last).toEqual(ends.slice(2));
  });

  it("takes the best Victory Points and the average of turns that are known", () => {
    const all = [game(true, { vp: 90, turn: 10 }), game(true, { vp: 119, turn: 13 }), game(false, { vp: null, turn: 0 })];
    expect(standings(all)[0]).toMatchObject({ best: 119, turns: 11.5 });
    expect(standings([game(true, { turn: 0 })])[0]).toMatchObject({ best: null, turns: null });
  });

  it("says the rate with the rates that fit", () => {
    // Wilson with z = 1.96: 7 of 12 is 0.3195 to 0.8067
    expect(rateWords(7, 12)).toBe("7 of 12 (32 to 81 %)");
  });

  it("counts how games ended, the most frequent first", () => {
    expect(ends([game(false), game(true), game(false), game(false, { cause: "Could not move" })])).toEqual([
      { name: "Wiped out", n: 2, won: false },
      { name: "Bunker taken", n: 1, won: true },
      { name: "Could not move", n: 1, won: false },
    ]);
  });
});

describe("files", () => {
  it("hold every game, practice marked", () => {
    const all = [game(true, { title: 'A "fine", day', vp: 119, undone: 2 }), game(null, { practice: true, title: "=1+1" })];
    const lines = asCsv(all).split("\r\n");
    expect(lines[0]).toBe("table,game,title,edition,map,level,units,practice,result,cause,turns,victory_points,taken_back,adviser,started,changed");
    expect(lines[1]).toBe('t1,landing,"A ""fine"", day",first,n01,,1,false,won,,10,119,2,false,1970-01-01T00:00:01Z,1970-01-01T00:00:01Z');
    expect(lines[2]?.startsWith("t2,landing,'=1+1,first,n01,,1,true,open,")).toBe(true);
    const read = JSON.parse(asJson(all)) as { games: unknown[] };
    expect(read.games).toHaveLength(2);
    expect(read.games[0]).toMatchObject({ result: "won", victory_points: 119, taken_back: 2 });
  });

  it("of a record tell setup, seed and answers taken back", () => {
    const text = '{"beachhead":1,"game":"landing","setup":{"edition":"first","map":"n01","seats":1}}\n["answer",0,1,"lock:R1"]\n["undo",1]\n["undo",2,true]\n["reveal","aa"]\n["reveal","bb"]\n["over",{}]\n';
    expect(readRecord(text)).toEqual({ game: "landing", setup: { edition: "first", map: "n01", seats: 1 }, seed: "aa", undone: 2, dice: "" });
  });

  it("bring the data of a browser to another one and keep the links that are there", () => {
    localStorage.setItem("beachhead.tokens", '{"a":"1"}');
    localStorage.setItem("beachhead.settings", '{"lang":"fr"}');
    localStorage.setItem("other", "stays");
    const saved = exportData();
    expect(saved).not.toContain("stays");
    deleteData();
    expect(localStorage.getItem("beachhead.tokens")).toBeNull();
    expect(localStorage.getItem("other")).toBe("stays");
    localStorage.setItem("beachhead.tokens", '{"b":"2"}');
    expect(importData(saved)).toBe(true);
    expect(JSON.parse(localStorage.getItem("beachhead.tokens") ?? "")).toEqual({ a: "1", b: "2" });
    expect(importData("nonsense")).toBe(false);
    expect(importData('{"kept":{"other":"x"}}')).toBe(false);
    expect(localStorage.getItem("other")).toBe("stays");
  });
});

it("the first place of a turn is found by halving", async () => {
  const turns = new Map([[0, 1], [4, 1], [6, 2], [9, 2], [11, 2], [15, 3], [20, 5]]);
  const first = (turn: number): Promise<number> => firstOfTurn([...turns.keys()], turn, (stop) => Promise.resolve(turns.get(stop) ?? 0));
  expect(await Promise.all([0, 1, 2, 3, 4, 5, 9].map(first))).toEqual([0, 0, 6, 15, 20, 20, 20]);
});
