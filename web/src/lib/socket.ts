/** The line to a table: hello, welcome, updates by number, and what was sent but is not acknowledged yet. */
import type {
  Advice,
  AskNow,
  Because,
  FromServer,
  Line,
  Reason,
  Refused,
  Said,
  Screen,
  TableNow,
} from "../made/types";

export type Lamp = "joining" | "in-step" | "lost" | "ended";

/** Something sent that has to happen once: it is kept until the server has said yes or no. */
export interface Unsent {
  id: string;
  label: string;
  at: number;
  /** Acknowledged: it is done when the table stands at this number. */
  done?: number;
  message: Record<string, unknown> & { type: string; id: string };
}

export interface Keep {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** As much of a WebSocket as is needed here. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: never) => void) | null;
}

export interface Change {
  /** The ids of one's own moves that this change settles. */
  fresh: boolean;
  log: Line[];
  /** Lines were taken back. */
  taken?: boolean;
}

export interface LinkNews {
  lamp(lamp: Lamp, text: string): void;
  changed(change: Change): void;
  table(table: TableNow): void;
  said(said: Said): void;
  advice(advice: Advice): void;
  refused(refused: Refused, what: Unsent | null): void;
  pending(list: readonly Unsent[]): void;
}

export interface LinkSetup {
  table: string;
  token: string;
  lang: string;
  open: () => Wire;
  news: LinkNews;
  keep: Keep;
}

/** What a seat sends at most one of at a time. */
export const ANSWERS: readonly string[] = ["move", "undo", "roll"];

const PING = 1000;
const SILENCE = 2600;
const LATE = 1000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

let last = 0;

/** An id of our making, never the same twice. */
export function newId(): string {
  last += 1;
  const part = crypto.getRandomValues(new Uint32Array(2));
  return `${Date.now().toString(36)}-${last.toString(36)}-${(part[0] ?? 0).toString(36)}${(part[1] ?? 0).toString(36)}`;
}

export class Link {
  n = -1;
  screen: Screen | null = null;
  log: Line[] = [];
  lamp: Lamp = "joining";
  /** Why the server hung up, if it said so. */
  private told = "";
  lostAt = 0;
  tries = 0;
  unsent: Unsent[] = [];

  private wire: Wire | null = null;
  private joined = false;
  private heard = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private asked = new Map<string, (answer: Because | null) => void>();
  /** Questions of the page itself: nobody wants to read why they were refused. */
  private quiet = new Set<string>();
  private over = false;

  constructor(private readonly setup: LinkSetup) {
    this.unsent = this.kept();
  }

  private get place(): string {
    return `beachhead.unsent.${this.setup.table}`;
  }

  private kept(): Unsent[] {
    try {
      const found: unknown = JSON.parse(this.setup.keep.getItem(this.place) ?? "[]");
      return Array.isArray(found) ? (found as Unsent[]).filter((one) => typeof one?.id === "string") : [];
    } catch {
      return [];
    }
  }

  private store(): void {
    try {
      const open = this.unsent.filter((one) => one.done === undefined);
      if (open.length) this.setup.keep.setItem(this.place, JSON.stringify(open));
      else this.setup.keep.removeItem(this.place);
    } catch {
      // a browser that keeps nothing: the move is still in this page
    }
    this.setup.news.pending(this.unsent);
  }

  start(): void {
    this.over = false;
    this.setup.news.pending(this.unsent);
    this.connect();
    this.beat = setInterval(() => this.listen(), 500);
  }

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.drop();
  }

  /** Try at once instead of waiting. */
  again(): void {
    if (this.joined || this.lamp === "ended") return;
    clearTimeout(this.timer);
    this.drop();
    this.connect();
  }

  /** The browser says that the network is gone. */
  gone(): void {
    if (this.joined || this.wire) this.lose();
  }

  private drop(): void {
    const wire = this.wire;
    this.wire = null;
    this.joined = false;
    if (!wire) return;
    wire.onopen = wire.onmessage = wire.onclose = null;
    try {
      wire.close();
    } catch {
      // it was closed already
    }
  }

  private connect(): void {
    this.heard = Date.now();
    let wire: Wire;
    try {
      wire = this.setup.open();
    } catch {
      this.lose();
      return;
    }
    this.wire = wire;
    wire.onopen = () => this.hello();
    wire.onmessage = (event) => {
      this.heard = Date.now();
      if (typeof event.data === "string") this.take(event.data);
    };
    wire.onclose = () => {
      if (this.wire === wire) this.lose();
    };
  }

  private lose(): void {
    this.drop();
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
    if (this.over || this.lamp === "ended") return;
    if (this.lamp !== "lost") this.lostAt = Date.now();
    this.light("lost", this.told);
    this.told = "";
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + 0.5 * Math.random()));
  }

  /** Every half second: is anybody there? A line that is silent for too long is a lost one. */
  private listen(): void {
    if (!this.wire) return;
    const silent = Date.now() - this.heard;
    if (silent > SILENCE) this.lose();
    else if (silent >= PING - 100 && this.joined) this.put({ type: "ping", t: Math.floor(Date.now() / 1000) });
  }

  private light(lamp: Lamp, text = ""): void {
    this.lamp = lamp;
    this.setup.news.lamp(lamp, text);
  }

  private put(message: Record<string, unknown>): boolean {
    if (!this.wire) return false;
    try {
      this.wire.send(JSON.stringify(message));
      return true;
    } catch {
      return false;
    }
  }

  private hello(): void {
    this.joined = false;
    const { table, token, lang } = this.setup;
    this.put({ type: "hello", table, token, have: this.screen ? this.n : -1, lang, want: "screen" });
  }

  private take(text: string): void {
    let said: FromServer;
    try {
      said = JSON.parse(text) as FromServer;
    } catch {
      return;
    }
    const news = this.setup.news;
    switch (said.type) {
      case "welcome": {
        const fresh = said.fresh ?? true;
        this.n = said.n;
        this.log = fresh ? (said.log ?? []) : [...this.log, ...(said.log ?? [])];
        if (said.screen) this.screen = said.screen;
        this.joined = true;
        this.tries = 0;
        this.lostAt = 0;
        this.light("in-step");
        news.table(said.table);
        news.changed({ fresh, log: said.log ?? [] });
        this.arrived();
        for (const one of this.unsent) if (one.done === undefined) this.put(one.message);
        return;
      }
      case "update":
        if (!this.joined) return;
        if (said.n <= this.n) return;
        if (said.before !== this.n) {
          this.hello();
          return;
        }
        this.n = said.n;
        if (said.taken) this.log = this.log.filter((line) => line.n < (said.taken ?? 0));
        this.log = [...this.log, ...(said.log ?? [])];
        if (said.screen) this.screen = said.screen;
        if (said.by) this.settle(said.by);
        this.arrived();
        news.changed({ fresh: false, log: said.log ?? [], taken: (said.taken ?? 0) > 0 });
        return;
      case "ack":
        this.acknowledged(said.id, said.n);
        return;
      case "refused": {
        const what = this.unsent.find((one) => one.id === said.id) ?? null;
        if (said.code === "slow-down" && what) {
          setTimeout(() => this.put(what.message), 1000);
          return;
        }
        this.settle(said.id);
        const asked = this.asked.get(said.id);
        this.asked.delete(said.id);
        asked?.(null);
        if (asked && this.quiet.delete(said.id)) return;
        news.refused(said, what);
        if (said.code === "stale" || (said.n ?? -1) > this.n) this.hello();
        return;
      }
      case "presence":
        news.table(said.table);
        return;
      case "said":
        news.said(said);
        return;
      case "advice":
        news.advice(said);
        return;
      case "because":
        this.asked.get(said.id)?.(said);
        this.asked.delete(said.id);
        this.quiet.delete(said.id);
        return;
      case "bye":
        if (said.again) {
          this.told = said.text;
          return;
        }
        this.light("ended", said.text);
        this.drop();
        return;
      case "pong":
        return;
    }
  }

  /** What was sent is durable. Its update may still be under way; if it does not come, ask for it. */
  private acknowledged(id: string, n: number): void {
    if (n <= this.n) {
      this.settle(id);
      return;
    }
    this.unsent = this.unsent.map((one) => (one.id === id ? { ...one, done: n } : one));
    this.store();
    setTimeout(() => {
      if (this.joined && this.n < n) this.hello();
    }, LATE);
  }

  /** The table stands at a new number: what was acknowledged up to there is done. */
  private arrived(): void {
    const left = this.unsent.filter((one) => one.done === undefined || one.done > this.n);
    if (left.length === this.unsent.length) return;
    this.unsent = left;
    this.store();
  }

  private settle(id: string): void {
    const left = this.unsent.filter((one) => one.id !== id);
    if (left.length === this.unsent.length) return;
    this.unsent = left;
    this.store();
  }

  private send(message: Record<string, unknown> & { type: string }, label: string): string {
    const id = newId();
    const whole = { ...message, id };
    this.unsent = [...this.unsent, { id, label, at: Date.now(), message: whole }];
    this.store();
    if (this.joined) this.put(whole);
    return id;
  }

  /** Is an answer of this seat under way? */
  waits(seat: number): boolean {
    return this.unsent.some(({ message }) => ANSWERS.includes(message.type) && message["seat"] === seat);
  }

  move(ask: AskNow, key: string, label: string): string {
    if (this.waits(ask.seat)) return "";
    return this.send({ type: "move", base: this.n, seat: ask.seat, seq: ask.seq, key }, label);
  }

  /** Take back, or with `back: false` bring back. `beyond`: also what has been seen, if the table agrees. */
  undo(seat: number, label: string, more: { back?: boolean; beyond?: boolean } = {}): string {
    if (this.waits(seat)) return "";
    return this.send({ type: "undo", base: this.n, seat, ...more }, label);
  }

  agree(request: string, yes: boolean, label: string): string {
    return this.send({ type: "agree", request, yes }, label);
  }

  /** The faces of dice that were rolled on the table at home; none: the server rolls them. */
  roll(seat: number, roll: string, faces: number[], label: string): string {
    if (this.waits(seat)) return "";
    return this.send({ type: "roll", base: this.n, seat, roll, faces }, label);
  }

  chat(text: string, phrase: string): string {
    return this.send({ type: "chat", text, phrase }, text || phrase);
  }

  host(act: string, seat: number, text: string): string {
    return this.send({ type: "host", act, seat, text }, act);
  }

  adviser(on: boolean, label: string): string {
    return this.send({ type: "adviser", on }, label);
  }

  name(seat: number, name: string): string {
    return this.send({ type: "name", seat, name }, name);
  }

  /** Why is this number what it is? Nothing if the line breaks or the server does not know. */
  why(seat: number, question: string, about: { sector?: string; card?: string; dice?: string[] } = {}): Promise<Because | null> {
    if (!this.joined) return Promise.resolve(null);
    const id = newId();
    if (about.dice) this.quiet.add(id);
    return new Promise((resolve) => {
      this.asked.set(id, resolve);
      this.put({ type: "why", id, seat, question, ...about });
    });
  }
}

export type { Reason };
