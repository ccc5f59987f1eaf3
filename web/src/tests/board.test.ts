import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Board from "../parts/Board.svelte";
import type { Option, SectorNow, UnitNow } from "../made/types";
import { screenWith } from "./welcome";

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 1205"><g data-sector="1"><path class="area" d="M0 0h9v9z"/>
  <g class="slot" data-x="100" data-y="200" data-size="1"/></g></svg>`;

let answer: (found: Response) => void;
let part: object | undefined;
let number = 0;

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise<Response>((done) => (answer = done)));
});
afterEach(async () => {
  if (part) await unmount(part);
  part = undefined;
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

function shown(props: { sectors?: SectorNow[]; units?: UnitNow[]; legal?: Option[] } = {}): HTMLElement {
  const target = document.createElement("div");
  document.body.append(target);
  part = mount(Board, { target, props: { url: `/board/${(number += 1)}.svg`, sectors: [], units: [], ...props } });
  flushSync();
  return target;
}

async function drawn(found: Response): Promise<void> {
  answer(found);
  await new Promise((done) => setTimeout(done, 20));
  flushSync();
}

describe("the picture of the board", () => {
  it("is awaited with a word", async () => {
    const board = shown();
    expect(board.querySelector(".empty")?.textContent).toBe("Drawing the board…");
    await drawn(new Response(PICTURE));
    expect(board.querySelector(".empty")).toBeNull();
  });

  it("is missed with another word", async () => {
    const board = shown();
    await drawn(new Response("", { status: 500 }));
    expect(board.querySelector(".empty")?.textContent).toContain("not there yet");
  });

  it("shows the Units in their Sectors", async () => {
    const screen = screenWith([]);
    const board = shown({ sectors: screen.sectors, units: screen.units });
    await drawn(new Response(PICTURE));
    expect(board.querySelectorAll(".over .unit")).toHaveLength(1);
  });
});
