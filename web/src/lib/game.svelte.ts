/** One table as this guest sees it. What the server said is `link`'s; what is shown may wait for dice to come to rest. */
import type { Advice, Advised, AskNow, Because, Line, Said, Screen, TableNow, UnitNow } from "../made/types";
import { fits, ranked, tips, type Ranked } from "./advice";
import { atFirst, diceOf, fit, toggle, touchable, type Fit } from "./dice";
import { say } from "./say.svelte";
import { settings } from "./settings.svelte";
import { ANSWERS, Link, type Change, type Lamp, type Unsent, type Wire } from "./socket";
import { ring, soundOf } from "./sound";
import { routes } from "./stats";

/** How long the tray lights up after a roll, also when nothing moves. */
export const FLASH_MS = 600;

export type Panel =
  | { kind: "none" }
  | { kind: "rule"; id: string }
  | { kind: "why"; because: Because }
  | { kind: "keys" }
  | { kind: "lobby" }
  | { kind: "notes" }
  | { kind: "set" }
  | { kind: "menu" };

export function socketAddress(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}

/** Questions about dice of which the server says what a choice comes to. */
const WEIGHED = ["lock", "roll", "cancel", "free"];

export class Game {
  screen = $state.raw<Screen | null>(null);
  log = $state.raw<Line[]>([]);
  table = $state.raw<TableNow | null>(null);
  said = $state.raw<Said[]>([]);
  lamp = $state<Lamp>("joining");
  lampText = $state("");
  lostFor = $state(0);
  unsent = $state.raw<readonly Unsent[]>([]);
  notice = $state("");
  narration = $state("");
  urgent = $state("");
  rolling = $state.raw<ReadonlySet<string>>(new Set());
  /** Dice were thrown a moment ago. */
  flash = $state(false);
  /** What the chosen dice come to, in words, as the server says it. */
  tally = $state.raw<{ title: string; lines: string[] } | null>(null);
  /** The lines of the last change. */
  news = $state.raw<readonly Line[]>([]);
  /** The person is asked whether to take back what has been seen. */
  sure = $state(false);
  panel = $state.raw<Panel>({ kind: "none" });
  seat = $state(0);
  focus = $state("");

  /** What the adviser said last to each seat. */
  private advices = $state.raw<ReadonlyMap<number, Advice>>(new Map());
  private chosen = $state.raw<{ at: string; dice: ReadonlySet<string> }>({ at: "", dice: new Set() });
  private held = new Map<number, { turn: number; dice: ReadonlySet<string> }>();
  private link: Link;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private clock: ReturnType<typeof setInterval> | undefined;
  private next: (() => void) | null = null;
  private weighing = "";
  private flashing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    readonly token: string,
    open: () => Wire = () => new WebSocket(socketAddress()) as unknown as Wire,
  ) {
    this.link = new Link({
      table: id,
      token,
      lang: settings.lang,
      open,
      keep: localStorage,
      news: {
        lamp: (lamp, text) => this.lighted(lamp, text),
        changed: (change) => this.changed(change),
        table: (table) => this.seated(table),
        said: (said) => {
          if (this.screen && !this.mine.includes(said.seat ?? -1)) ring("said");
          this.said = [...this.said.filter((one) => one.n !== said.n), said];
        },
        advice: (advice) => (this.advices = new Map(this.advices).set(advice.seat, advice)),
        refused: (refused) => {
          const reasons = (refused.reasons ?? []).map((one) => one.text).join(" ");
          this.notice = reasons && !refused.text.includes(reasons) ? `${refused.text} ${reasons}` : refused.text;
          this.urgent = this.notice;
        },
        pending: (list) => (this.unsent = list),
      },
    });
  }

  start(): void {
    this.link.start();
    this.clock = setInterval(() => {
      this.lostFor = this.link.lostAt ? Math.round((Date.now() - this.link.lostAt) / 1000) : 0;
    }, 500);
    addEventListener("offline", this.gone);
    addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.again);
  }

  stop(): void {
    this.link.stop();
    clearInterval(this.clock);
    clearTimeout(this.waiting);
    clearTimeout(this.flashing);
    removeEventListener("offline", this.gone);
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
  }

  again = (): void => this.link.again();
  private gone = (): void => this.link.gone();

  private lighted(lamp: Lamp, text: string): void {
    const before = this.lamp;
    this.lamp = lamp;
    this.lampText = text;
    if (lamp === "lost" && before === "in-step") this.urgent = say("line.lost-now");
    if (lamp === "in-step" && before === "lost") this.urgent = say("line.back");
    if (lamp === "ended") this.urgent = text;
  }

  // ---------------------------------------------------------------------- what comes in

  private changed(change: Change): void {
    const screen = this.link.screen;
    if (!screen) return;
    const log = this.link.log;
    const before = this.screen;
    if (change.taken) this.advices = new Map();
    const fresh = before && !change.fresh ? this.freshDice(change.log) : new Set<string>();
    const show = (): void => {
      this.next = null;
      this.rolling = new Set();
      if (fresh.size) this.lightUp();
      this.show(screen, log, change.fresh ? [] : change.log, fresh);
      if (change.taken && !change.log.length) this.narration = say("undo.done");
    };
    clearTimeout(this.waiting);
    if (fresh.size) ring("roll");
    if (fresh.size && settings.tumble && !document.hidden) {
      this.rolling = fresh;
      this.next = show;
      this.waiting = setTimeout(show, settings.tumble);
    } else show();
  }

  private lightUp(): void {
    this.flash = true;
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => (this.flash = false), FLASH_MS);
  }

  private seated(table: TableNow): void {
    const before = this.table?.request?.id;
    const adviser = this.table?.adviser ?? -1;
    const told = this.table !== null && this.screen !== null;
    this.table = table;
    const by = table.adviser ?? -1;
    if (told && by !== adviser) this.narration = by >= 0 ? say("adviser.began", { name: this.nameOf(by) }) : say("adviser.ended");
    if (by < 0) this.advices = new Map();
    const request = table.request;
    if (request && request.id !== before && request.wait.some((seat) => table.mine?.includes(seat))) {
      this.urgent = say("consent.asks", { name: this.nameOf(request.seat), what: request.label });
      ring("turn");
    }
  }

  /** Any key or touch: the dice lie. */
  settle = (): void => {
    if (!this.next) return;
    clearTimeout(this.waiting);
    this.next();
  };

  /** Places of dice, with the seat before them, that were thrown since the last look. */
  private freshDice(lines: readonly Line[]): Set<string> {
    const out = new Set<string>();
    for (const line of lines) {
      const thrown = (line.fx ?? {})["dice"] as { seat: number; rolled: string[] } | undefined;
      if (!thrown?.rolled || !this.mine.includes(thrown.seat)) continue;
      for (const place of thrown.rolled) out.add(`${thrown.seat}:${place}`);
    }
    return out;
  }

  private show(screen: Screen, log: Line[], lines: readonly Line[], fresh: ReadonlySet<string>): void {
    const asked = this.asks.length;
    const ended = this.screen && !this.screen.over && screen.over;
    this.screen = screen;
    this.log = log;
    this.news = lines;
    this.sure = false;
    if (lines.length) this.narration = lines.map((line) => line.text).join(". ");
    const asks = screen.asks;
    if (!asks.some((ask) => ask.seat === this.seat)) {
      const first = asks[0]?.seat ?? (this.mine.includes(this.seat) ? this.seat : this.mine[0]);
      if (first !== undefined) this.seat = first;
    }
    const mineNow = asks.length > 0 && !asked && !screen.over;
    if (mineNow) this.urgent = say("turn.yours", { what: asks[0]?.prompt ?? "" });
    if (ended) this.urgent = "";
    if (ended) ring(ended.won ? "won" : "lost");
    else if (lines.length || mineNow) ring(fresh.size ? "rest" : soundOf(lines, this.mine) || (mineNow ? "turn" : ""));
    if (lines.some((line) => (line.fx ?? {})["clear"])) this.held.clear();
    for (const ask of asks) {
      const held = this.held.get(ask.seat);
      if (held && held.turn !== screen.turn) this.held.delete(ask.seat);
    }
    this.weigh();
  }

  /** Ask the server what the dice that are chosen now come to. */
  private weigh(): void {
    const ask = this.ask;
    if (!ask || !WEIGHED.includes(ask.dice_verb ?? "")) {
      this.tally = null;
      return;
    }
    const dice = [...this.chosenFor(ask)].sort();
    const at = `${ask.seat}.${ask.seq}.${dice.join(",")}`;
    if (this.weighing === at) return;
    this.weighing = at;
    void this.link.why(ask.seat, "tally", { dice }).then((found) => {
      if (this.weighing !== at) return;
      if (!found) this.weighing = "";
      this.tally = found?.value ? { title: found.title, lines: (found.lines ?? []).map((line) => line.text) } : null;
    });
  }

  // ---------------------------------------------------------------------- what may be done

  get mine(): number[] {
    return this.table?.mine ?? [];
  }

  get asks(): AskNow[] {
    return this.screen?.asks ?? [];
  }

  get ask(): AskNow | null {
    return this.asks.find((ask) => ask.seat === this.seat) ?? null;
  }

  get unit(): UnitNow | null {
    return this.screen?.units.find((unit) => unit.seat === this.seat) ?? null;
  }

  /** The Units on the board: before turn 1 those of which the log tells where they landed. */
  get ashore(): readonly UnitNow[] {
    const units = this.screen?.units ?? [];
    if (!units.length || this.screen?.turn) return units;
    const landed = new Set(routes(this.log).map(({ seat }) => seat));
    return units.filter(({ seat }) => landed.has(seat));
  }

  /** Nothing can be answered now: the last answer is under way or dice are rolling. */
  get busy(): boolean {
    return this.rolling.size > 0 || this.unsent.some(({ message }) => message["seat"] === this.seat && ANSWERS.includes(message.type));
  }

  get alone(): boolean {
    const people = (this.table?.seats ?? []).filter((seat) => seat.who !== "bot");
    return people.every((seat) => this.mine.includes(seat.seat));
  }

  chosenFor(ask: AskNow): ReadonlySet<string> {
    const at = `${ask.seat}.${ask.seq}`;
    if (this.chosen.at === at) return this.chosen.dice;
    const held = this.held.get(ask.seat);
    const still = held && held.turn === this.screen?.turn ? held.dice : new Set<string>();
    return atFirst(ask, still);
  }

  fitFor(ask: AskNow): Fit {
    return fit(ask.dice ?? [], this.chosenFor(ask));
  }

  touch(place: string): void {
    this.settle();
    const ask = this.ask;
    if (!ask || this.busy || !touchable(ask.dice ?? []).has(place)) return;
    this.choose(ask, toggle(ask.dice ?? [], this.chosenFor(ask), place));
  }

  /** Lock or keep this die, whatever it was before. */
  hold(place: string): void {
    const ask = this.ask;
    if (!ask) return;
    const goes = ask.dice_verb === "roll";
    if (this.chosenFor(ask).has(place) === goes) this.touch(place);
  }

  private choose(ask: AskNow, dice: ReadonlySet<string>): void {
    this.chosen = { at: `${ask.seat}.${ask.seq}`, dice };
    this.weigh();
  }

  /** Answer with the dice that are chosen. */
  throwChosen(): void {
    const ask = this.ask;
    if (!ask) return;
    const { key } = this.fitFor(ask);
    if (key !== null) this.answer(key, ask.expect ?? "");
  }

  answer(key: string, label = ""): void {
    this.settle();
    const ask = this.ask;
    if (!ask || this.busy) return;
    this.notice = "";
    const free = touchable(ask.dice ?? []);
    if (ask.dice_verb === "roll" && this.screen) {
      const going = new Set(diceOf(key));
      if (key.startsWith("roll:")) {
        this.held.set(ask.seat, { turn: this.screen.turn, dice: new Set([...free].filter((one) => !going.has(one))) });
      }
    }
    this.link.move(ask, key, label || key);
  }

  // ---------------------------------------------------------------------- the adviser

  /** It is on, for all at the table. */
  get advising(): boolean {
    return (this.table?.adviser ?? -1) >= 0;
  }

  /** What it says to the question that is answered here. */
  get advice(): Advice | null {
    return this.ask ? this.adviceFor(this.ask) : null;
  }

  adviceFor(ask: AskNow): Advice | null {
    const found = this.advices.get(ask.seat);
    return found && this.advising && !this.rolling.size && fits(found, ask) ? found : null;
  }

  /** Every answer, the best first; none while it has not spoken. */
  ranked = $derived.by((): Ranked[] => (this.advice ? ranked(this.advice) : []));
  tips = $derived.by((): ReadonlyMap<string, string> => (this.ask && this.ranked[0] ? tips(this.ask, this.ranked[0].key) : new Map()));

  /** It may still say something: an answer with nothing to choose gets no advice. */
  get thinking(): boolean {
    return (this.ask?.options?.length ?? 0) + (this.ask?.dice?.length ?? 0) + (this.ask?.steppers?.length ?? 0) > 1;
  }

  /** The best answer of each Unit that is asked and is not answered for here. */
  get othersAdvice(): { seat: number; name: string; first: Advised }[] {
    const waiting = this.screen?.waiting ?? [];
    const out = [];
    for (const [seat, { options, n }] of this.advices) {
      const first = options[0];
      const theirs = !this.asks.some((ask) => ask.seat === seat) && n >= this.link.n;
      if (this.advising && theirs && waiting.includes(seat) && first) out.push({ seat, name: this.nameOf(seat), first });
    }
    return out.sort((a, b) => a.seat - b.seat);
  }

  advise(): void {
    if (!this.mine.length || this.screen?.over) return;
    this.link.adviser(!this.advising, say(this.advising ? "adviser.off" : "adviser.on"));
  }

  takeBest(): void {
    const best = this.ranked[0];
    if (best) this.answer(best.key, best.label);
  }

  /** Choose these dice; they are not answered with yet. */
  pickDice(dice: readonly string[]): void {
    if (this.ask && !this.busy) this.choose(this.ask, new Set(dice));
  }

  /** What undo would take back, in words; empty if nothing. */
  get undoable(): string {
    return this.screen?.undo?.[String(this.seat)] ?? this.ask?.undo ?? "";
  }

  /** What could be taken back although it has been seen; empty if nothing, or if plain undo suffices. */
  get beyond(): string {
    return this.undoable ? "" : (this.screen?.beyond?.[String(this.seat)] ?? "");
  }

  /** What redo would bring back, in words; empty if nothing. */
  get redoable(): string {
    return this.screen?.redo?.[String(this.seat)] ?? "";
  }

  /** Take back the last answer. Where it has been seen, the person is asked first. */
  undo(): void {
    this.settle();
    if (this.busy) return;
    if (!this.undoable) {
      this.sure = this.beyond !== "" && !this.table?.request;
      return;
    }
    this.notice = "";
    this.link.undo(this.seat, this.undoable);
    ring("back");
  }

  undoBeyond(): void {
    this.sure = false;
    if (!this.beyond || this.busy) return;
    this.notice = "";
    this.link.undo(this.seat, this.beyond, { beyond: true });
  }

  redo(): void {
    this.settle();
    if (!this.redoable || this.busy) return;
    this.notice = "";
    this.link.undo(this.seat, this.redoable, { back: false });
  }

  agree(yes: boolean): void {
    const request = this.table?.request;
    if (request) this.link.agree(request.id, yes, request.label);
  }

  /** Faces of dice that were rolled at home; none: the server rolls. */
  enter(faces: number[]): void {
    const enter = this.screen?.enter;
    const seat = enter?.mine.includes(this.seat) ? this.seat : enter?.mine[0];
    if (!enter || seat === undefined) return;
    this.notice = "";
    this.link.roll(seat, enter.roll, faces, enter.prompt);
  }

  /** Answer for this Unit of mine from now on. */
  sit(seat: number): void {
    this.seat = seat;
    this.sure = false;
    this.weigh();
  }

  nameOf(seat: number): string {
    return this.screen?.units.find((unit) => unit.seat === seat)?.name ?? this.table?.seats.find((one) => one.seat === seat)?.name ?? "";
  }

  say(text: string, phrase = ""): void {
    if (text || phrase) this.link.chat(text, phrase);
  }

  host(act: string, seat = -1, text = ""): void {
    this.link.host(act, seat, text);
  }

  name(seat: number, name: string): void {
    this.link.name(seat, name);
  }

  async why(question: string, sector = "", card = ""): Promise<void> {
    const because = await this.link.why(this.seat, question, { sector, card });
    if (because) this.panel = { kind: "why", because };
  }

  rule(id: string): void {
    if (id) this.panel = { kind: "rule", id };
  }

  close(): void {
    this.panel = { kind: "none" };
  }
}
