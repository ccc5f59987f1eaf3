/** Short ways into a game. */
import { api, type SeatPlan } from "./api";
import { opened } from "./links";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";

export interface Setup {
  edition?: string;
  map?: string;
  beach?: string;
  seats: number;
  level?: string;
  options?: string[];
  nations?: string[];
}

export async function openTable(setup: Setup, seats: SeatPlan[], more: Record<string, unknown> = {}, game = "landing"): Promise<void> {
  router.go(opened(await api.open({ game, setup, seats, name: settings.name, ...more })));
}
