/** Short ways into a game. */
import { api, type SeatPlan } from "./api";
import { opened } from "./links";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";

export interface Setup {
  edition: string;
  map: string;
  seats: number;
  level?: string;
  options?: string[];
  nations?: string[];
}

export async function openTable(setup: Setup, seats: SeatPlan[], more: Record<string, unknown> = {}): Promise<void> {
  router.go(opened(await api.open({ setup, seats, name: settings.name, ...more })));
}

/** One Unit on the training map. */
export function solo(level = "", map = "n01-exercise-tiger", edition = "first"): Promise<void> {
  return openTable({ edition, map, seats: 1, ...(level ? { level } : {}) }, [{ who: "person", name: settings.name }]);
}
