// What the browser keeps for the person: short texts by name. Where it keeps nothing (blocked, full), they
// last as long as the page does.

export function keptText(key: string): string | null {
  const held = onPage.get(key);
  if (held !== undefined) return held;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. Tells whether it lasts longer than the page. */
export function keepText(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    onPage.delete(key);
    return true;
  } catch {
    onPage.set(key, text);
    return false;
  }
}

const onPage = new Map<string, string | null>();
