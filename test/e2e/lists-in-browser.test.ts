// The long run of the console's lists in a browser, at a small size: what it would measure is there, and each
// list that is walked answers as the API does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSOLE_LISTS } from '../soak/console-lists.ts';
import { browseOnSqlite } from '../soak/lists-in-browser.ts';

test('lists of the console are opened, sorted, searched, read on, left, found again and acted on, with a time of each', async () => {
  const lists = CONSOLE_LISTS.filter(({ title }) => title === 'Shares' || title.startsWith('Audit'));
  const times = await browseOnSqlite({ sessions: 1_200, rounds: 1, lists });
  const steps = ['open', 'sort -name', 'sort created', 'search app', 'more', 'back', 'act'];
  for (const what of [
    ...steps.map((step) => `Shares, ${step}`),
    'Audit events, newest first, search refused',
  ])
    assert.ok(times[what] !== undefined && times[what].whole.median > 0, what);
  for (const [what, { rows, whole }] of Object.entries(times))
    assert.ok(rows.median >= 0 && rows.median <= whole.median && rows.most >= rows.median, what);
});
