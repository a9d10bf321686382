// The tutorial of the console, as somebody new walks it: from the quick start to an application of one's own
// behind a login, in the console alone. What the tutorial names in bold is what is pressed and filled in
// here, in that order.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startShell, type TestChromium } from '../support/chromium.ts';
import { type Echo, type EchoBackend, startEchoBackend } from '../support/echo-backend.ts';
import { freeQuickstartPort, type RunningQuickstart, startQuickstart } from '../support/quickstart.ts';

let folder: string;
let quickstart: RunningQuickstart;
let chromium: TestChromium;
let own: EchoBackend;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-user-'));
  own = await startEchoBackend();
  quickstart = await startQuickstart({ dir: join(folder, 'state'), port: await freeQuickstartPort() });
  chromium = await startShell({ ca: null, folder: '' });
});
after(async () => {
  await chromium.close();
  await quickstart.stop();
  await own.close();
  await rm(folder, { recursive: true, force: true });
});

test('from the quick start to one’s own application behind a login, in under two minutes', async (t) => {
  const startedAt = performance.now();
  const { page, profile } = await chromium.visitor(t, { viewport: { width: 1280, height: 800 } });
  const words = boldWords(await readFile(TUTORIAL, 'utf8'));
  const next = (): string => words.shift() ?? assert.fail('the tutorial says more');

  const [address] = /http:\/\/\S+\/console\//.exec(quickstart.output()) ?? [];
  await page.goto(address ?? assert.fail('the quick start names the console'));
  await page.getByRole('link', { name: next() }).click();
  await page.getByRole('button', { name: next() }).click();
  await page.getByRole('link', { name: next() }).first().click();
  await page.getByLabel(next(), { exact: true }).fill('my-app');
  await page.getByLabel(next(), { exact: true }).fill(String(own.port));
  const logIn = page.getByRole('group', { name: next(), exact: true });
  assert.equal(await logIn.getByRole('checkbox', { name: 'dev' }).isChecked(), true);
  await page.getByLabel(next(), { exact: true }).fill('*@example.com');
  await page.getByRole('button', { name: next() }).click();
  await page.getByRole('heading', { level: 1, name: 'my-app' }).waitFor();

  await page.getByRole('textbox', { name: /address/i }).fill('someone@elsewhere.test');
  await page.getByRole('button', { name: next() }).click();
  await page.getByText('someone@elsewhere.test would not get in.').waitFor();

  const opening = profile.waitForEvent('page');
  await page.getByRole('link', { name: next() }).click();
  assert.equal(await visitorOf(await opening), 'ada@example.com');
  await page.getByRole('heading', { name: next() }).waitFor();
  await page.getByRole('cell', { name: 'ada@example.com' }).first().waitFor();
  assert.deepEqual(words, []);
  const tookMs = performance.now() - startedAt;
  t.diagnostic(`${Math.round(tookMs)} ms`);
  assert.ok(tookMs < TWO_MINUTES_MS);

  const shareUrl = `http://my-app.share.localhost:${quickstart.port}`;
  const guest = await chromium.visitor(t);
  await guest.page.goto(shareUrl);
  await guest.page.getByRole('button', { name: /Grace Hopper/ }).click();
  assert.equal(await visitorOf(guest.page), 'grace@example.com');
  const stranger = await chromium.visitor(t);
  await stranger.page.goto(shareUrl);
  await stranger.page.getByRole('button', { name: /Someone Else/ }).click();
  await stranger.page.getByText('someone@elsewhere.test').first().waitFor();
  assert.ok(own.seen.every(({ headers }) => headers['svc-auth-email'] !== 'someone@elsewhere.test'));
});

/** Whom the application was told of, once it is there. */
async function visitorOf(page: Page): Promise<unknown> {
  await page.waitForURL(/^http:\/\/my-app\.share\.localhost:\d+\/$/);
  return (JSON.parse(await page.locator('body').innerText()) as Echo).headers['svc-auth-email'];
}

function boldWords(text: string): string[] {
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
}

const TUTORIAL = join(import.meta.dirname, '../../docs/tutorial/first-share-in-the-console.md');
const TWO_MINUTES_MS = 120_000;
