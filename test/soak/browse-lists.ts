// Somebody logs in to the console with a real browser, opens each list, sorts it by each head both ways,
// searches, reads on, leaves and comes back, selects several rows and does something to them.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Client } from '../../src/client/client.ts';
import { logIn } from '../support/chromium.ts';
import type { ConsoleTab, TestConsole } from '../support/console-browser.ts';
import { CONSOLE_LISTS, type ConsoleList, NOTHING } from './console-lists.ts';
import { type RowsTime, rowsAfter, rowsOnReturn, watchRows } from './shown-rows.ts';

type Spread = { readonly median: number; readonly most: number };

/** By list and what was done. `rows`: from the answer to its rows; `whole`: from the question to them. */
export type BrowserTimes = Readonly<Record<string, { readonly rows: Spread; readonly whole: Spread }>>;

export async function browseLists(
  site: TestConsole,
  { rounds, lists = CONSOLE_LISTS }: { readonly rounds: number; readonly lists?: readonly ConsoleList[] },
): Promise<BrowserTimes> {
  const endings: (() => unknown)[] = [];
  const tab = await site.tab({ after: (end) => endings.push(end) }, { as: null, viewport: VIEWPORT });
  const { page, profile, noTrouble } = tab;
  await watchRows(profile);
  await page.goto(`${site.origin}/console/`);
  await page.getByRole('link', { name: /^Log in with/ }).click();
  await logIn(page, 'admin@acme.test');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const took = new Map<string, RowsTime[]>();
  for (let round = 0; round < rounds; round++)
    for (const list of lists)
      await walk({
        tab,
        list,
        round,
        client: site.service.client,
        note: (what, time) => {
          const name = `${list.title}, ${what}`;
          if (time !== null) took.set(name, [...(took.get(name) ?? []), time]);
        },
      });
  noTrouble();
  for (const end of endings) await end();
  return Object.fromEntries(
    [...took].map(([what, times]) => [
      what,
      { rows: spread(times.map(({ rows }) => rows)), whole: spread(times.map(({ whole }) => whole)) },
    ]),
  );
}

type Walk = {
  readonly tab: ConsoleTab;
  readonly list: ConsoleList;
  readonly round: number;
  readonly client: Client;
  readonly note: (what: string, time: RowsTime | null) => void;
};

async function walk(at: Walk): Promise<void> {
  const { tab, list, note } = at;
  const open = async () => {
    await tab.open(list.at);
    return list.asks;
  };
  note('open', await rowsAfter(tab.page, open, { isNewPage: true }));
  await sortEach(at);
  await searchEach(at);
  await readOn(at);
  await actOnSome(at);
}

/** By each head, both ways: every order that the list has. */
async function sortEach({ tab: { page, settled }, list, client, note }: Walk): Promise<void> {
  const { title, asks, sort } = list;
  if (sort === undefined) return;
  const order = (): string | null => new URL(page.url()).searchParams.get('sort');
  const seen = new Set<string>();
  const heads = await page.locator('th button.sort-head').all();
  for (const head of heads)
    for (let turn = 0; turn < 2; turn++) {
      const press = async () => {
        await head.click();
        // What the page began with is there.
        return order() === null ? null : { ...asks, query: { ...asks.query, sort: order() } };
      };
      const time = await rowsAfter(page, press);
      await settled();
      const name: string = order() ?? sort.unsaid;
      note(`sort ${name}`, time);
      seen.add(name);
      const first: string | undefined = await sort.firstOf(client, name);
      const shown = await rowsOf(page, list).first().innerText();
      assert.ok(
        first !== undefined && shown.startsWith(first),
        `${title} by ${name}: ${shown}, not ${first}`,
      );
    }
  assert.deepEqual([...seen].toSorted(), sort.names.toSorted(), title);
}

async function searchEach({ tab: { page, settled }, list, note }: Walk): Promise<void> {
  const { asks, search } = list;
  if (search === undefined) return;
  const box = page.getByRole('searchbox', { name: search.box });
  const before = page.url();
  for (const [text, as] of Object.entries(search.texts)) {
    const type = async () => {
      await box.fill(text);
      return { ...asks, query: { ...asks.query, [as]: text } };
    };
    note(`search ${text}`, await rowsAfter(page, type));
    const shown = await rowsOf(page, list).count();
    assert.equal(shown === 0, text === NOTHING, `${shown} rows of ${text}`);
  }
  await box.fill('');
  // Once typing has paused.
  await page.waitForURL(before);
  await settled();
  await rowsOf(page, list).first().waitFor();
}

/** Two more pages; then elsewhere, and back to all of them. */
async function readOn({ tab: { page, settled }, list, note }: Walk): Promise<void> {
  const more = frameOf(page, list).getByRole('button', { name: 'More', exact: true });
  const press = async () => {
    await more.click();
    return list.asks;
  };
  for (let turn = 0; turn < 2 && (await more.isVisible()); turn++) note('more', await rowsAfter(page, press));
  const count = await rowsOf(page, list).count();
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  note('back', await rowsOnReturn(page));
  await settled();
  assert.equal(await rowsOf(page, list).count(), count, `${list.title}: back`);
}

async function actOnSome({ tab: { page }, list, round, note }: Walk): Promise<void> {
  const { asks, act } = list;
  if (act === undefined) return;
  const boxes = frameOf(page, list).getByRole('checkbox', { name: /^Select / });
  const count = await boxes.count();
  // Others in each round: something else was done to those before. The first may be whoever does it.
  const start = count < 2 * CHOSEN ? 0 : CHOSEN + ((CHOSEN * round) % (count - 2 * CHOSEN + 1));
  for (let n = start; n < Math.min(count, start + CHOSEN); n++) await boxes.nth(n).check();
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByRole('button', { name: act.label }).click();
  const question = page.getByRole('alertdialog');
  const yes = question.getByRole('button', { name: act.yes, exact: true });
  await yes.waitFor();
  note(
    'act',
    await rowsAfter(page, async () => {
      await yes.click();
      // It stays for whatever fails.
      await question.waitFor({ state: 'detached' });
      return asks;
    }),
  );
}

function rowsOf(page: Page, list: ConsoleList): Locator {
  return frameOf(page, list).getByRole('rowheader');
}

function frameOf(page: Page, { title }: ConsoleList): Locator {
  return page.locator('.list').filter({ has: page.getByRole('table', { name: title, exact: true }) });
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: Math.round(sorted[sorted.length >> 1] ?? NaN), most: Math.round(sorted.at(-1) ?? NaN) };
}

/** Wide enough for every column. */
const VIEWPORT = { width: 1920, height: 1080 };
const CHOSEN = 3;
