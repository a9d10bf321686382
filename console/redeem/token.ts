// The token that the link brought. It came in the fragment, which no server sees, and leaves the address bar at once: what is
// there is shown to whoever looks over a shoulder, and kept in histories.

/** The token in a link, or in what was pasted; null when there is none that is whole. */
export function tokenIn(text: string): string | null {
  return TOKEN.exec(text)?.[1] ?? null;
}

/** What the fragment holds, which is gone from the address bar then; empty when there is none. */
export function takeFragment(): string {
  const fragment = location.hash.slice(1);
  if (location.href.includes('#')) history.replaceState(null, '', location.pathname);
  return fragment;
}

const TOKEN = /(?:^|[^\w-])(crt_[\w-]{43})(?![\w-])/;
