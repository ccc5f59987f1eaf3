/** The state of the table in sentences, on request: all of it, or dice, Unit, Sector, other players. */
import type { Screen } from "../made/types";
import type { Game } from "./game.svelte";
import { inOrder } from "./dice";
import { say } from "./say.svelte";

export type About = "all" | "d" | "u" | "s" | "p";

export function narrated(screen: Screen, game: Game, about: About): string {
  const unit = game.unit;
  const parts: string[] = [];
  if (about === "all") {
    const phase = screen.phases.find((one) => one.id === screen.phase)?.name ?? "";
    parts.push(`${screen.title}. ${screen.turn_name || say("turn", { n: screen.turn })}. ${phase}.`, game.ask?.prompt ?? "");
  }
  if (screen.duel && (about === "all" || about === "d" || about === "s")) {
    const { title = "", name = "", text = "", axis, facts = [] } = screen.duel;
    parts.push(`${[title, name].filter(Boolean).join(", ")}.`, text, `${axis.map((die) => die.words).join(", ")}.`);
    parts.push(facts.map((one) => `${one.name} ${one.value}.`).join(" "));
  }
  if (unit && (about === "all" || about === "d") && unit.tray.roll) {
    const dice = inOrder(unit.tray.dice).map((die) => die.words);
    parts.push(`${dice.join("; ")}.`, unit.tray.worth ?? "");
  }
  if (unit && (about === "all" || about === "u")) {
    parts.push(`${unit.name}: ${unit.counters.map((one) => `${one.value} ${one.name}`).join(", ")}.`);
    const cards = unit.cards.filter((card) => card.place !== "hand" && card.place !== "dead").map((card) => card.name);
    if (cards.length) parts.push(`${cards.join(", ")}.`);
    parts.push(unit.danger ?? "", unit.leave ? `${unit.leave}.` : "");
  }
  if (unit && (about === "all" || about === "s")) {
    const sector = screen.sectors.find((one) => one.id === unit.sector);
    if (sector && !screen.duel) parts.push(`${sector.name}: ${sector.marks.join(", ")}.`, `${say("sector.exits")} ${sector.exits.join("; ")}.`);
  }
  if (about === "all" || about === "p") {
    for (const other of screen.units) {
      if (other.seat === unit?.seat) continue;
      parts.push(`${other.name}, ${other.sector_name}: ${other.counters.map((one) => `${one.value} ${one.name}`).join(", ")}.`);
    }
  }
  return parts.filter(Boolean).join(" ");
}
