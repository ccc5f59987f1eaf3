/** Keeps the screen of a phone or tablet awake during a game, where the browser lets us and the person wants it. */

interface Sentinel {
  release(): Promise<void>;
}

function door(): { request(type: "screen"): Promise<Sentinel> } | undefined {
  return (navigator as { wakeLock?: { request(type: "screen"): Promise<Sentinel> } }).wakeLock;
}

export function canWake(): boolean {
  return door() !== undefined;
}

/** From now on the screen stays awake; call what comes back to let it sleep again. */
export function stayAwake(): () => void {
  let over = false;
  let held: Sentinel | null = null;
  const take = (): void => {
    if (over || document.hidden) return;
    void door()
      ?.request("screen")
      .then((got) => {
        if (over) void got.release();
        else held = got;
      })
      .catch(() => undefined);
  };
  // a browser lets go by itself when the page is hidden
  document.addEventListener("visibilitychange", take);
  take();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", take);
    void held?.release().catch(() => undefined);
    held = null;
  };
}
