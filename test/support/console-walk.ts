// A walk over every page of the console that a link leads to, from the first one on: pages that are added are
// walked, too.

import type { ConsoleTab } from './console-browser.ts';

/**
 * Goes to each page once, and calls `look` there. Answers the paths below /console, in the order of the walk.
 */
export async function walkConsole(
  tab: ConsoleTab,
  look: (path: string) => Promise<void>,
): Promise<readonly string[]> {
  await tab.open();
  const seen = new Set<string>();
  const waiting = ['/'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path) || isAnother(path, seen)) continue;
    seen.add(path);
    await tab.go(path);
    await look(path);
    waiting.push(...(await tab.page.evaluate<readonly string[]>(LINKS)));
  }
  return [...seen];
}

/** Of a list's items, which all look alike, a few are enough. The console's own pages begin with a plus. */
function isAnother(path: string, seen: ReadonlySet<string>): boolean {
  const parent = path.slice(0, path.lastIndexOf('/'));
  if (parent === '' || path.startsWith(`${parent}/%2B`)) return false;
  const items = [...seen].filter(
    (each) => each.startsWith(`${parent}/`) && !each.startsWith(`${parent}/%2B`),
  );
  return items.length >= MOST_SIBLINGS;
}

/** Below /console, without queries: those are filters of the same page. */
const LINKS = `[...new Set([...document.querySelectorAll('a[href^="/console"]')]
  .map((link) => new URL(link.href).pathname.slice('/console'.length) || '/'))]`;
const MOST_SIBLINGS = 4;
