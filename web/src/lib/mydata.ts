/** What this browser keeps of ours: links, settings, counts. The games themselves are with the server. */
const OURS = /^beachhead[.]/;

export function ownKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => OURS.test(key));
  } catch {
    return [];
  }
}

export function exportData(): string {
  const kept = Object.fromEntries(ownKeys().map((key) => [key, localStorage.getItem(key)]));
  return `${JSON.stringify({ beachhead: 1, kept }, null, 1)}\n`;
}

/** Take over what `exportData` wrote; false if it is something else. What is there already stays where both have it, but for settings. */
export function importData(text: string): boolean {
  let kept: unknown;
  try {
    kept = (JSON.parse(text) as Record<string, unknown>)["kept"];
  } catch {
    return false;
  }
  if (!kept || typeof kept !== "object") return false;
  const entries = Object.entries(kept).filter((pair): pair is [string, string] => OURS.test(pair[0]) && typeof pair[1] === "string");
  for (const [key, value] of entries) localStorage.setItem(key, key === "beachhead.tokens" ? merged(localStorage.getItem(key), value) : value);
  return entries.length > 0;
}

function merged(before: string | null, more: string): string {
  try {
    return JSON.stringify({ ...(JSON.parse(more) as object), ...(JSON.parse(before ?? "{}") as object) });
  } catch {
    return before ?? more;
  }
}

export function deleteData(): void {
  for (const key of ownKeys()) localStorage.removeItem(key);
}
