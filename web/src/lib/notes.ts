/** Private notes of a game. They stay in this browser and are never sent. */

export interface Note {
  id: number;
  /** The turn it is pinned to; 0: to the whole game. */
  turn: number;
  text: string;
}

function place(table: string): string {
  return `beachhead.notes.${table}`;
}

export function notesOf(table: string): Note[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place(table)) ?? "[]");
    return Array.isArray(found) ? (found as Note[]).filter((one) => typeof one?.text === "string" && typeof one.turn === "number") : [];
  } catch {
    return [];
  }
}

/** Keep these; false where the browser keeps nothing. */
export function keepNotes(table: string, notes: readonly Note[]): boolean {
  try {
    if (notes.length) localStorage.setItem(place(table), JSON.stringify(notes));
    else localStorage.removeItem(place(table));
    return true;
  } catch {
    return false;
  }
}

export function added(notes: readonly Note[], turn: number, text: string): Note[] {
  const id = notes.reduce((most, one) => Math.max(most, one.id), 0) + 1;
  return [...notes, { id, turn, text }].sort((a, b) => a.turn - b.turn || a.id - b.id);
}
