/** The page without its server. The service worker keeps the built client and marks the page that it gives instead. */

/** This page came from the browser's own store, since the server did not answer. */
export const alone = document.documentElement.hasAttribute("data-alone");

const RELOADED = "beachhead.reloaded";

/** A part of the page is gone, since the server has a newer build: load that. Once a minute at most. */
addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

/** Keep the client for a time when the server does not answer. Only the built client has a service worker. */
export function keepForLater(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = (): void => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

export async function answers(): Promise<boolean> {
  try {
    return (await fetch("/api/about", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
