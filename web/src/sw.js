/* The service worker: what the page shows when the server is not there.
 *
 * It never stands between a page and a server that answers: the page itself and what it asks for come from the network
 * first. Only built files, which have their hash in their names and never change, come from the store. FILES and BUILD
 * are filled in by the build; another build is another worker with another store.
 */
const FILES = __FILES__;
const STORE = "beachhead-__BUILD__";
const WORDS = "beachhead-words";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(STORE)
      .then((store) => store.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetOldOnes(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate") {
    if (!url.pathname.endsWith("/text") && !url.pathname.startsWith("/api/")) event.respondWith(page(event));
  } else if (url.pathname.startsWith("/assets/")) event.respondWith(built(event.request));
  else if (url.pathname === "/api/messages") {
    event.respondWith(words(event));
    event.waitUntil(learn(url.searchParams.get("lang") ?? "en"));
  } else if (url.pathname === "/api/rules" || url.pathname.startsWith("/api/rules/")) event.respondWith(rules(event.request, url));
});

async function forgetOldOnes() {
  for (const name of await caches.keys()) if (name.startsWith("beachhead-") && name !== STORE && name !== WORDS) await caches.delete(name);
}

function rulesIn(lang) {
  return `/api/rules?all=1&lang=${encodeURIComponent(lang)}`;
}

const learnt = new Set();

/** The rules in a language, for a search without the server. */
async function learn(lang) {
  if (learnt.has(lang)) return;
  learnt.add(lang);
  try {
    const answer = await fetch(rulesIn(lang), { cache: "no-cache" });
    if (answer.ok) await (await caches.open(WORDS)).put(rulesIn(lang), answer);
  } catch {
    learnt.delete(lang);
  }
}

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const kept = await caches.match("/", { cacheName: STORE });
    if (!kept) return Response.error();
    const text = (await kept.text()).replace("<html", "<html data-alone");
    return new Response(text, { headers: kept.headers });
  }
}

async function built(request) {
  return (await caches.match(request, { cacheName: STORE })) ?? fetch(request);
}

async function words(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok) {
      const copy = answer.clone();
      event.waitUntil(caches.open(WORDS).then((store) => store.put(event.request, copy)));
    }
    return answer;
  } catch {
    return (await caches.match(event.request, { cacheName: WORDS })) ?? Response.error();
  }
}

async function rules(request, url) {
  try {
    return await fetch(request);
  } catch {
    const kept = await caches.match(rulesIn(url.searchParams.get("lang") ?? "en"), { cacheName: WORDS });
    if (!kept) return Response.error();
    const all = await kept.json();
    const id = decodeURIComponent(url.pathname.slice("/api/rules/".length)).toUpperCase();
    if (id) {
      const found = all.find((rule) => rule.id === id);
      return found ? Response.json(found) : Response.error();
    }
    const wanted = folded(url.searchParams.get("q") ?? "").split(/\s+/).filter(Boolean).slice(0, 12);
    const found = wanted.length ? search(all, wanted) : [];
    return Response.json({ rules: found.slice(0, 60), found: found.length });
  }
}

/** As the server searches: every word somewhere; title before id, text and note, the start of a word before its middle. */
function search(all, wanted) {
  const ranked = [];
  for (const rule of all) {
    const places = [rule.title, rule.id, rule.text, rule.note].map(folded);
    const ranks = wanted.map((word) => rank(word, places));
    if (!ranks.includes(-1)) ranked.push([ranks.reduce((sum, one) => sum + one, 0), rule]);
  }
  return ranked.sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
}

/** Capitals and accents do not matter. */
function folded(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("\u2019", "'").replaceAll("œ", "oe");
}

function rank(word, places) {
  const at = places.findIndex((place) => place.includes(word));
  if (at < 0) return -1;
  const place = places[at];
  for (let n = place.indexOf(word); n >= 0; n = place.indexOf(word, n + 1)) {
    if (!/[\p{L}\p{N}_]/u.test(place[n - 1] ?? " ")) return 2 * at;
  }
  return 2 * at + 1;
}
