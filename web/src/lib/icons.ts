/** Which picture goes with which word of the server. A word that is not here gets a plain one. */
const FIELD: Record<string, string> = {
  landing: "craft",
  barriers: "barrier",
  "rallying-point": "joins",
  gantlet: "combat",
  bluffs: "chevron-3",
  bunker: "bunker",
};
const COUNTER: Record<string, string> = {
  soldiers: "soldier1",
  courage: "courage",
  stars: "star",
  points: "item-point",
  strength: "person",
  score: "item-point",
  medals: "award",
  stake: "dice",
  worth: "star",
};
const PHASE: Record<string, string> = {
  roll: "dice",
  upkeep: "upkeep",
  marker: "chevron-2",
  acquire: "specialist",
  move: "must-move",
  combat: "combat",
  axis: "die",
  specialists: "specialist",
  medals: "award",
  rally: "joins",
  compare: "combat",
  decide: "advance",
  start: "start",
};
const VERB: Record<string, string> = {
  lock: "lock",
  roll: "re-roll",
  leave: "fewer-dice",
  cancel: "skull",
  free: "unlock",
  stop: "keep",
  done: "keep",
  keep: "keep",
  mulligan: "re-roll",
  rally: "specialist",
  find: "item",
  award: "award",
  use: "cards",
  move: "advance",
  start: "start",
  sector: "map",
  stay: "stay",
  trade: "trade",
  give: "trade",
  take: "trade",
  propose: "trade",
  withdraw: "close",
  accept: "keep",
  refuse: "close",
  yield: "next",
  claim: "start",
  abandon: "vehicle",
  fall: "sacrifice",
  lose: "sacrifice",
  discard: "sacrifice",
  pay: "item-point",
  unit: "person",
  add: "plus",
  face: "die",
  die: "die",
  choose: "next",
  skip: "next",
  none: "next",
  lost: "warning",
  advance: "advance",
  retreat: "stay",
  deploy: "skull",
  no: "close",
  pass: "next",
  play: "award",
};

export function faceIcon(face: string): string {
  return FIELD[face] ?? face;
}

/** A sector of a beach, or a face of the battlefield die. */
export function fieldIcon(id: string): string {
  return FIELD[id] ?? "map";
}

export function counterIcon(id: string): string {
  return COUNTER[id] ?? "item-point";
}

export function phaseIcon(id: string): string {
  return PHASE[id] ?? "next";
}

export function verbIcon(key: string): string {
  return VERB[key.split(":")[0] ?? ""] ?? "next";
}

/** The kind of a card as its border: specialist, item, vehicle, award. */
export function cardKind(kind: string): "specialist" | "item" | "vehicle" | "award" {
  if (kind.includes("specialist")) return "specialist";
  if (kind.includes("vehicle")) return "vehicle";
  if (kind.includes("award")) return "award";
  return "item";
}
