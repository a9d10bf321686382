// When a page of the console shows the rows of an answer: by the page's own clock, from the answer's last
// byte to the frame that has the rows.

import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/chromium.ts';

/** Milliseconds. `whole`: from the first question for the rows on. */
export type RowsTime = { readonly rows: number; readonly whole: number };

/** What a page asks for its rows: the path, and what is in the query; null is not in it. */
export type Question = { readonly path: string; readonly query?: Readonly<Record<string, string | null>> };

/** Each page of the profile notes from now on when its lists change. */
export async function watchRows(profile: BrowserContext): Promise<void> {
  await profile.addInitScript(WATCH);
}

/**
 * How long the rows take that `ask` makes the page ask for: it says what that is, or null when there is
 * nothing to ask for. Of a page that it loads, all counts since then.
 */
export async function rowsAfter(
  page: Page,
  ask: () => Promise<Question | null>,
  { isNewPage = false } = {},
): Promise<RowsTime | null> {
  const begin = '(performance.clearResourceTimings(), performance.now())';
  const since = isNewPage ? 0 : await page.evaluate<number>(begin);
  const question = await ask();
  if (question === null) return null;
  const find = `(${FIND})(${JSON.stringify({ since, ...question })})`;
  let found: RowsTime | null = null;
  await until(`rows of ${JSON.stringify(question)}`, async () => {
    found = await page.evaluate<RowsTime | null>(find);
    return found !== null;
  });
  return found;
}

/** How long the way back takes, to the frame that has the list again. It asks for nothing. */
export async function rowsOnReturn(page: Page): Promise<RowsTime | null> {
  const since = await page.evaluate<number>('performance.now()');
  await page.goBack();
  let ms: number | null = null;
  await until('the list is there again', async () => {
    ms = await page.evaluate<number | null>(`(${RETURN})(${since})`);
    return ms !== null;
  });
  return ms === null ? null : { rows: ms, whole: ms };
}

/** Of each change of a list: when it was, and when the frame with it was there. */
const WATCH = `globalThis.shownRows = { frames: [], back: 0 };
  {
    const isOfList = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('.list') != null;
    const hasList = (node) => node.nodeType === 1 && (node.matches('.list') || node.querySelector('.list') !== null);
    let changed = null;
    const frame = () => {
      const at = changed;
      changed = null;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => shownRows.frames.push([at, performance.now()]);
      port2.postMessage(null);
    };
    new MutationObserver((changes) => {
      if (!changes.some((each) => isOfList(each.target) || [...each.addedNodes, ...each.removedNodes].some(hasList)))
        return;
      if (changed === null) requestAnimationFrame(frame);
      changed = performance.now();
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    addEventListener('popstate', () => { shownRows.back = performance.now(); });
  }`;

/** Null while the rows are not there. */
const FIND = `({ since, path, query = {} }) => {
  const isAsked = ({ name, startTime, responseEnd }) => {
    const url = new URL(name);
    return startTime >= since && responseEnd > 0 && url.pathname === path &&
      Object.entries(query).every(([key, value]) => url.searchParams.get(key) === value);
  };
  if (document.querySelector('.list[aria-busy=true], .list-foot button[disabled]') !== null) return null;
  const answers = performance.getEntriesByType('resource').filter(isAsked);
  for (const [changed, shown] of shownRows.frames) {
    const last = answers.filter(({ responseEnd }) => responseEnd <= changed).at(-1);
    if (last !== undefined)
      return { rows: shown - last.responseEnd, whole: shown - answers[0].startTime };
  }
  return null;
}`;

const RETURN = `(since) => {
  const { back, frames } = shownRows;
  const frame = back < since ? undefined : frames.find(([changed]) => changed >= back);
  return frame === undefined ? null : frame[1] - back;
}`;
