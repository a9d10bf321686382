// What a link brought in its fragment, which no server sees. It leaves the address bar at once: what is there
// is shown to whoever looks over a shoulder, and kept in histories.

/** Empty when there is none. */
export function takeFragment(): string {
  const fragment = location.hash.slice(1);
  if (location.href.includes('#')) history.replaceState(null, '', location.pathname);
  return fragment;
}
