/** A small table as the server shows it, made by hand from the messages. */
import type { AskNow, Die, Screen, TableNow, Welcome } from "../made/types";

export function die(place: string, face: string, more: Partial<Die> = {}): Die {
  const colour = ({ R: "red", W: "white", B: "blue" } as const)[place[0] as "R" | "W" | "B"];
  return { place, colour, face, words: `${place} ${face}`, ...more };
}

export const LOCK: AskNow = {
  seat: 0,
  seq: 1,
  name: "lock",
  kind: "choice",
  prompt: "Unit 1: Roll 1 of 3. Lock 2 dice.",
  rule: "F-ROLL-02",
  dice_verb: "lock",
  dice: ["lock:R1,R2", "lock:R1,W1", "lock:R2,W1"],
  expect: "Lock the dice",
};

export const ROLL: AskNow = {
  ...LOCK,
  seq: 2,
  name: "reroll",
  prompt: "Unit 1: Roll 1 of 3 is made.",
  rule: "F-ROLL-04",
  dice_verb: "roll",
  dice: ["roll:W1", "roll:W2", "roll:W1,W2"],
  options: [{ key: "stop", label: "Keep all dice as they lie" }],
};

export const OFFER: AskNow = {
  ...LOCK,
  seq: 3,
  name: "offer",
  prompt: "Unit 1: What do you offer Unit 2?",
  dice_verb: "",
  dice: [],
  options: [
    { key: "withdraw", label: "Call it off" },
    { key: "give:grenade", label: "Give the Grenade", card: "grenade" },
  ],
  steppers: [{ verb: "give", name: "soldiers", label: "Give Soldiers", most: 3 }],
  nots: [{ key: "propose", label: "Make this offer", reasons: [{ text: "The offer is empty", rule: "F-TRADE-02" }] }],
};

export function screenWith(asks: AskNow[], faces = ["courage", "tool", "skull", "star", "soldier1", "soldier2"]): Screen {
  const places = ["R1", "R2", "W1", "W2", "B1", "B2"];
  return {
    game: "landing",
    title: "Exercise Tiger",
    subtitle: "first edition",
    turn: 1,
    phase: "roll",
    phases: [
      { id: "roll", name: "Roll the dice", short: "Roll the dice" },
      { id: "move", name: "Move", short: "Move" },
    ],
    board: "",
    sectors: [
      { id: "1", name: "Sector 1", marks: ["DEF 2"], text: "", exits: ["forward to Sector 2 (1 Courage)"], units: [0] },
      { id: "2", name: "Sector 2", marks: ["DEF 4"], text: "", exits: [], units: [] },
    ],
    units: [
      {
        seat: 0,
        name: "Able",
        nation: "",
        status: "on the map",
        sector: "1",
        sector_name: "Sector 1",
        marker: "1 chevron",
        leave: "",
        strength: 4,
        counters: [
          { id: "soldiers", name: "Soldiers", value: 4, change: 2 },
          { id: "courage", name: "Courage", value: 0 },
        ],
        cards: [],
        tray: { dice: places.map((place, n) => die(place, faces[n] ?? "")), roll: 1, worth: "1 Courage." },
      },
    ],
    asks,
    waiting: asks.map((ask) => ask.seat),
  };
}

export const TABLE: TableNow = {
  id: "t1",
  title: "Exercise Tiger",
  seats: [{ seat: 0, who: "person", name: "Able", here: true }],
  host: true,
  mine: [0],
};

export function welcome(n: number, asks: AskNow[] = [LOCK]): Welcome {
  return { type: "welcome", n, table: TABLE, screen: screenWith(asks), log: [{ n: 0, turn: 1, text: "Turn 1" }], fresh: true };
}
