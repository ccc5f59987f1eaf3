/** A socket without a network: what was sent can be read, what comes can be said. */
import type { Keep, LinkNews, Wire } from "../lib/socket";
import { vi } from "vitest";

export class FakeWire implements Wire {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: never) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    this.onopen?.(undefined as never);
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  cut(): void {
    this.onclose?.(undefined as never);
  }

  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((one) => one["type"] === type);
  }
}

export function memory(): Keep & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

export function news() {
  return {
    lamp: vi.fn<LinkNews["lamp"]>(),
    changed: vi.fn<LinkNews["changed"]>(),
    table: vi.fn<LinkNews["table"]>(),
    said: vi.fn<LinkNews["said"]>(),
    advice: vi.fn<LinkNews["advice"]>(),
    refused: vi.fn<LinkNews["refused"]>(),
    pending: vi.fn<LinkNews["pending"]>(),
  };
}
