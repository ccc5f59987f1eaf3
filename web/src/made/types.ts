// Made by make.py; change that, not this.

/** Who is there. `token` is that of a seat, the host or a spectator. `have`: the last number seen, -1 for none. `want`: all that a screen shows, or only the keys of open questions. */
export interface Hello {
  type: "hello";
  table: string;
  token?: string;
  have?: number;
  lang?: string;
  want?: "keys" | "screen";
}

/** An answer of a seat to its question `seq`, given when the table stood at number `base`. */
export interface Move {
  type: "move";
  id: string;
  base: number;
  seat: number;
  seq: number;
  key: string;
}

/** Take back the last answer of this seat (`back`), or bring back what was taken. `beyond`: although dice, cards or other answers have been seen since. Other persons at the table are asked first; the Ack then has the present number. */
export interface Undo {
  type: "undo";
  id: string;
  base: number;
  seat: number;
  back?: boolean;
  beyond?: boolean;
}

/** The answer to `TableNow.request`, by its id. Without `yes` it is dropped; who asked may do that, too. */
export interface Agree {
  type: "agree";
  id: string;
  request: string;
  yes?: boolean;
}

/** Dice that were rolled on the table, as `Screen.enter` wants them; without faces the server rolls. */
export interface Roll {
  type: "roll";
  id: string;
  base: number;
  seat: number;
  roll: string;
  faces?: (number)[];
}

/** A line of one's own, or a quick phrase by its key. */
export interface Chat {
  type: "chat";
  id: string;
  text?: string;
  phrase?: string;
}

/** Why is this number what it is? Asked for a Unit: `defence`, `mgf_dice`, `dice_to_lock`, `rally_cost` ... `tally`: what will the dice come to if the open question of this seat is answered with `dice`? They may still be too few or too many for an answer. */
export interface Why {
  type: "why";
  id: string;
  seat: number;
  question: string;
  sector?: string;
  card?: string;
  dice?: (string)[];
}

/** What the host of a table may do with a seat: give it to a bot, open it again under a new link, name it; or close the table, open it again, switch the chat off and on. */
export interface Host {
  type: "host";
  id: string;
  act: "bot" | "chat-off" | "chat-on" | "close" | "name" | "open" | "reopen";
  seat?: number;
  text?: string;
}

/** A person at a seat says their name. */
export interface Name {
  type: "name";
  id: string;
  seat: number;
  name: string;
}

/** Somebody who plays switches the adviser of the table on or off, for all. */
export interface Adviser {
  type: "adviser";
  id: string;
  on: boolean;
}

export interface Ping {
  type: "ping";
  t?: number;
}

export interface Welcome {
  type: "welcome";
  n: number;
  table: TableNow;
  screen?: Screen | null;
  log?: (Line)[];
  fresh?: boolean;
  keys?: Record<string, [number, (string)[]]>;
}

export interface TableNow {
  id: string;
  title: string;
  seats: (SeatNow)[];
  host?: boolean;
  mine?: (number)[];
  watch?: string;
  closed?: boolean;
  chat?: boolean;
  practice?: boolean;
  replay?: boolean;
  request?: UndoAsked | null;
  dice?: "" | "own";
  trouble?: string;
  adviser?: number;
}

/** Who sits there: a person (here or away), a bot, or nobody yet. */
export interface SeatNow {
  seat: number;
  who: "bot" | "open" | "person";
  name: string;
  here?: boolean;
  bot?: string;
  lamp?: "away" | "choosing" | "done" | "ready";
  link?: string;
}

/** A seat asks to take back its last answer although something was seen since. `wait`: seats that have still to agree. `mine`: this guest asks. */
export interface UndoAsked {
  id: string;
  seat: number;
  label: string;
  wait: (number)[];
  mine?: boolean;
}

/** All that is to be seen of a game by one guest. */
export interface Screen {
  game: string;
  title: string;
  subtitle: string;
  turn: number;
  phase: string;
  phases: (PhaseNow)[];
  board: string;
  sectors: (SectorNow)[];
  units: (UnitNow)[];
  asks: (AskNow)[];
  waiting: (number)[];
  pool?: (CardNow)[];
  notes?: (string)[];
  over?: Ended | null;
  seal?: string;
  undo?: Record<string, string>;
  beyond?: Record<string, string>;
  redo?: Record<string, string>;
  enter?: Enter | null;
  duel?: Duel | null;
  turn_name?: string;
  adviser?: boolean;
}

export interface PhaseNow {
  id: string;
  name: string;
  short: string;
}

/** A Sector for readers: the list of these is the truth, the picture shows the same. */
export interface SectorNow {
  id: string;
  name: string;
  marks: (string)[];
  text: string;
  exits: (string)[];
  units: (number)[];
  visited?: boolean;
  rebuilt?: boolean;
}

export interface UnitNow {
  seat: number;
  name: string;
  nation: string;
  status: "lost" | "on the map" | "safe";
  sector: string;
  sector_name: string;
  marker: string;
  leave: string;
  strength: number;
  counters: (Counter)[];
  cards: (CardNow)[];
  tray: Tray;
  marker_icon?: "" | "1" | "2" | "3" | "cry" | "move" | "shield";
  danger?: string;
}

/** A number of a Unit: `soldiers`, `stars`, `courage`, `points`. */
export interface Counter {
  id: string;
  name: string;
  value: number;
  change?: number;
}

/** A card as a small face. `kind` names its border and icon; `formula` is made of icon names and short texts. */
export interface CardNow {
  id: string;
  name: string;
  kind: string;
  kind_name: string;
  text: string;
  cost?: number;
  cost_icon?: string;
  rebuilt?: boolean;
  place?: "awards" | "dead" | "hand" | "items" | "pool" | "specialists" | "used";
  when?: string;
  explosive?: number;
  rule?: string;
}

export interface Tray {
  dice: (Die)[];
  added?: (string)[];
  worth?: string;
  roll?: number;
  near?: (Near)[];
  pairs?: (Pair)[];
}

/** One die of a tray, on its place (`R1` ... `B2`). `face` is empty while it is not rolled. `words` say all of it, for readers (`R1 Star, Locked`); `shows` is its result alone (`Star`). `idle`: this result counts for nothing in this game. `pair`: it matches this Axis die, from 1; 0 for none. */
export interface Die {
  place: string;
  colour: "blue" | "red" | "white";
  face: string;
  words: string;
  locked?: boolean;
  cancelled?: boolean;
  rwb?: boolean;
  idle?: boolean;
  shows?: string;
  pair?: number;
}

/** A result that lacks one colour for an RWB, and that colour. */
export interface Near {
  face: string;
  want: "blue" | "red" | "white";
}

/** An Axis die, from 0, and the dice that match it; `+` for a result beside the dice. */
export interface Pair {
  axis: number;
  dice: (string)[];
}

/** An open question of a seat that this guest may answer. `dice` holds keys of the form `VERB:R1,W2` (or `VERB:none`): chosen by touching dice. `steppers` are amounts, as in trades; `picks` turn dice. All other keys are `options`, each with its words. `expect`: what the tray's button says. */
export interface AskNow {
  seat: number;
  seq: number;
  name: string;
  kind: string;
  prompt: string;
  rule: string;
  hint?: string;
  source?: string;
  options?: (Option)[];
  dice_verb?: string;
  dice?: (string)[];
  expect?: string;
  preset?: (string)[] | null;
  steppers?: (Stepper)[];
  picks?: (Pick)[];
  nots?: (Not)[];
  undo?: string;
}

/** One answer: its key, in words, its small print. What it is about, if that can be pointed at on the screen. */
export interface Option {
  key: string;
  label: string;
  detail?: string;
  rule?: string;
  sector?: string;
  card?: string;
  unit?: number;
  price?: string;
}

/** Keys of the form `VERB:NAME=1` to `VERB:NAME=MOST`, of which one is chosen with plus and minus. */
export interface Stepper {
  verb: string;
  name: string;
  label: string;
  most: number;
}

/** A card that turns one die: first the die is chosen, then what it becomes. */
export interface Pick {
  label: string;
  detail: string;
  card: string;
  ways: (Way)[];
}

/** A die that can be turned (`R1` ... `B2`, `G1` ... for Axis dice, `K`), as it lies, and all that it may become. */
export interface Way {
  place: string;
  colour: string;
  face: string;
  words: string;
  options: (Turned)[];
}

/** An answer that turns a die: what it becomes. `helps`: how many more Axis dice are matched then. */
export interface Turned {
  key: string;
  label: string;
  colour: string;
  face: string;
  shows: string;
  helps?: number;
}

/** An answer that looks possible and is not, with every reason. */
export interface Not {
  key: string;
  label: string;
  reasons: (Reason)[];
  sector?: string;
  card?: string;
}

export interface Reason {
  text: string;
  rule?: string;
}

export interface Ended {
  won: boolean;
  cause: string;
  title: string;
  text: string;
  scores?: (number)[];
  parts?: ((string)[])[];
  notes?: (string)[];
  ranked?: boolean;
}

/** Dice that people roll on their own table. Nobody is asked anything until they are entered. `roll` is given back with the faces, one for each of `dice`. `seat`: whose they are, -1 for nobody's in particular. `mine`: the seats of this guest that may enter them. */
export interface Enter {
  roll: string;
  seat: number;
  mine: (number)[];
  prompt: string;
  rule: string;
  dice: (EnterDie)[];
  faces: (EnterFace)[];
}

export interface EnterDie {
  place?: string;
  colour?: string;
}

/** What such a die may show. `face` is its name as in `Die.face`, empty for pips. */
export interface EnterFace {
  value: number;
  face?: string;
  words?: string;
}

/** Axis dice against those of a player. `here`: the Sector of the list in which they lie, and what is special there. `track`: what the list of Sectors is called. `seat`: whose dice are compared; -1 where each player compares their own. */
export interface Duel {
  axis: (AxisDie)[];
  track: string;
  title?: string;
  here?: string;
  name?: string;
  text?: string;
  rule?: string;
  facts?: (Counter)[];
  seat?: number;
}

/** A die that has to be matched, by so many results; `words` for readers, `shows` is its result alone. */
export interface AxisDie {
  colour: "black" | "gray";
  face: string;
  words: string;
  shows: string;
  needs?: number;
}

/** One line of the log. `fx` tells the screen what to animate: `dice`, `move`, `change`, `card`, `fire`, `pips`; `clear`: the dice that lay on the table were picked up. */
export interface Line {
  n: number;
  turn: number;
  text: string;
  rule?: string;
  seat?: number;
  kind?: string;
  fx?: Record<string, unknown>;
}

/** The table stands at number `n` now; the one before was `before`. */
export interface Update {
  type: "update";
  n: number;
  before: number;
  log?: (Line)[];
  screen?: Screen | null;
  keys?: Record<string, [number, (string)[]]>;
  by?: string;
  taken?: number;
}

/** What you sent is done and durable. */
export interface Ack {
  type: "ack";
  id: string;
  n: number;
}

/** What you sent is not done, and why. Nothing has changed. */
export interface Refused {
  type: "refused";
  id: string;
  code: "forbidden" | "illegal" | "invalid" | "slow-down" | "stale" | "storage" | "too-late" | "unknown";
  text: string;
  reasons?: (Reason)[];
  n?: number;
}

export interface Presence {
  type: "presence";
  table: TableNow;
}

/** Somebody said something. `phrase` is the key of a quick phrase, `text` a line of one's own. */
export interface Said {
  type: "said";
  n: number;
  name: string;
  seat?: number;
  text?: string;
  phrase?: string;
}

/** The answer to `why`: the number and everybody who had a say. */
export interface Because {
  type: "because";
  id: string;
  title: string;
  value: number;
  lines?: (Reason)[];
}

/** What the adviser says to the open question of a seat, as the table stood at number `n`: every answer, the best first, and why. `exact`: the whole game is solved; `in-turn`: if soldiers of Express! who still roll do so one after another; `no-medals`: but for the Medals of Battle!. `learned`: by values learned from many games. `sampled`: by `games` played out. */
export interface Advice {
  type: "advice";
  n: number;
  seat: number;
  seq: number;
  how: "exact" | "in-turn" | "learned" | "no-medals" | "sampled";
  options: (Advised)[];
  games?: number;
  why?: (string)[];
}

/** One answer with the probability to win, which lies between `low` and `high`; all three are the same where it is exact. */
export interface Advised {
  key: string;
  label: string;
  value: number;
  low: number;
  high: number;
  gives?: (Gain)[];
}

/** What an answer brings this turn on average: of `soldiers`, `stars`, `courage`, `points` ..., and its name. */
export interface Gain {
  id: string;
  name: string;
  value: number;
}

export interface Pong {
  type: "pong";
  t?: number;
}

/** The server ends this connection, and why. `again`: trying later makes sense. */
export interface Bye {
  type: "bye";
  text: string;
  again?: boolean;
}

export type FromGuest = Hello | Move | Undo | Agree | Roll | Chat | Why | Host | Name | Adviser | Ping;

export type FromServer = Welcome | Update | Ack | Refused | Presence | Said | Because | Advice | Pong | Bye;
