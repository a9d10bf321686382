// The address of the console that somebody opened before they were asked to log in. It waits in this tab
// while a provider asks who they are, and is what they see when they are back.

/** Keeps the address that is open now. */
export function rememberPage(): void {
  sessionStorage.setItem(KEY, `${location.pathname}${location.search}`);
}

/** Goes to the address that was kept, once, where the login ended at the console's first page. */
export function openWantedPage(): void {
  const wanted = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (wanted?.startsWith(HOME) === true && location.pathname === HOME) history.replaceState(null, '', wanted);
}

const KEY = 'doorward-wanted-page';
/** Where a login ends. */
const HOME = '/console/';
