// How the service's own pages arrive in Chromium (issue, "Pages"): whole on a phone and a desktop, light and
// dark, without script, without anything that their policy has to stop. Set SCREENSHOTS to a folder to look
// at them.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { FAULTS, ServiceError, type FaultCode } from '../../src/domain/service-error.ts';
import { faultAnswer } from '../../src/http/fault-answer.ts';
import { logIn, startShell, type TestChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

let service: TestService;
let chromium: TestChromium;
let site: SiteBackend;
before(async () => {
  service = await startTestService({ tls: true });
  site = await startSite('site');
  chromium = await startShell(service);
});
after(async () => {
  await chromium.close();
  await service.close();
  await site.close();
});

test('page: refused', async (t) => {
  const { url } = await service.share('refused', { oauthEmailAddressPatterns: ['*@example.com'] });
  const { page, faults } = await quietVisitor(t);
  await page.goto(url);
  await logIn(page, 'a.rather.long.name.of.somebody@department.of.elsewhere.test');
  await looksRight(page, { name: 'refused', title: 'This email address does not have access' });
  assert.deepEqual(faults, []);
});

test('page: logged in', async (t) => {
  const { page, faults } = await quietVisitor(t);
  await page.goto(`${service.endpointUrl}/corp/login`);
  await logIn(page, 'ada@example.com');
  await looksRight(page, { name: 'logged-in', title: 'You are logged in' });
  assert.deepEqual(faults, []);
});

test('page: the reference of the API', async (t) => {
  const { page, faults } = await quietVisitor(t);
  await page.goto(`http://127.0.0.1:${service.ports.control}/docs`);
  await looksRight(page, { name: 'reference', title: 'Doorward control API' });
  assert.deepEqual(faults, []);
});

test('page: not found, for a share that is none and for a reserved path', async (t) => {
  const { url } = await service.share('found');
  const { page, faults } = await quietVisitor(t);
  await page.goto(url.replace('found', 'nobody'));
  await looksRight(page, { name: 'share-unknown', title: 'There is no such share' });
  await page.goto(`${url}/.svc/nothing`);
  await looksRight(page, { name: 'not-found', title: 'There is nothing here' });
  assert.deepEqual(faults, []);
});

test('page: backend down', async (t) => {
  const { page, faults } = await quietVisitor(t);
  // As it is when it no longer loads itself again.
  await page.goto(await serveFault('backend_down'));
  await looksRight(page, {
    name: 'backend-down',
    title: 'The application behind this address does not answer',
  });
  assert.deepEqual(faults, []);
});

test('page: an app that was down shows up by itself when it is back, without script', async (t) => {
  const port = await freePort();
  const { url } = await service.share('back', { target: `http://127.0.0.1:${port}`, oauthProvider: null });
  const { page } = await quietVisitor(t);
  await page.goto(`${url}/report?day=1`);
  await page.getByText('This page tries again by itself in 5 seconds.').waitFor();
  const app = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>up</title><h1>${request.url ?? ''}</h1>`);
  });
  t.after(() => app.close());
  app.listen(port, '127.0.0.1');
  await page.getByRole('heading', { name: '/report?day=1', exact: true }).waitFor();
  assert.equal(page.url(), `${url}/report?day=1`);
});

test('page: a login that was not started here', async (t) => {
  const { page, faults } = await quietVisitor(t);
  await page.goto(`${service.endpointUrl}/corp/auth/callback?code=x&state=y`);
  await looksRight(page, { name: 'state-missing', title: 'This login was not started here' });
  assert.deepEqual(faults, []);
});

test('page: something went wrong', async (t) => {
  const { page, faults } = await quietVisitor(t);
  await page.goto(await serveFault('internal'));
  await looksRight(page, { name: 'internal', title: 'Something went wrong' });
  assert.deepEqual(faults, []);
});

test('pages: every fault fits on the narrowest phone, whatever names and addresses are on it', async (t) => {
  const { page, faults } = await quietVisitor(t);
  await page.setViewportSize({ width: 320, height: 568 });
  for (const code of Object.keys(FAULTS) as FaultCode[]) {
    await page.goto(await serveFault(code));
    assert.equal(await page.evaluate(OVERFLOW), 0, code);
  }
  assert.deepEqual(faults, []);
});

/** A visitor whose console is listened to. What is refused by a policy, or fails, is said there. */
async function quietVisitor(t: TestContext): Promise<{ readonly page: Page; readonly faults: string[] }> {
  const { page, profile } = await chromium.visitor(t);
  const faults: string[] = [];
  profile.on('console', (message) => {
    // Chromium notes the status of every page that is not 200; the provider's page has no icon.
    const isStatus = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of');
    if (!isStatus) faults.push(message.text());
  });
  profile.on('weberror', (error) => faults.push(error.error().message));
  profile.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  return { page, faults };
}

async function looksRight(
  page: Page,
  { name, title }: { readonly name: string; readonly title: string },
): Promise<void> {
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  assert.ok((await page.title()).startsWith(title));
  assert.equal(await page.evaluate(`document.documentElement.lang`), 'en');
  assert.equal(await page.evaluate(SCRIPTS), 0, 'no script of any kind');
  for (const [device, viewport] of Object.entries(DEVICES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      // Without transitions, so that a picture shows where they end.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.equal(await page.evaluate(OVERFLOW), 0, `${name} scrolls sideways on a ${device}`);
      const dark = await page.evaluate<boolean>(IS_DARK);
      assert.equal(dark, colorScheme === 'dark', `${name} is ${colorScheme}`);
      await keep(page, `${name}-${device}-${colorScheme}.png`);
    }
}

async function keep(page: Page, name: string): Promise<void> {
  const image = await page.screenshot();
  assert.ok(image.byteLength > 0);
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), image);
}

/** The page of a fault as the service answers it, with everything on it that can be long. */
async function serveFault(code: FaultCode): Promise<string> {
  const answer = faultAnswer(new ServiceError(code, 'Cannot say'), {
    page: true,
    brand: {
      name: 'Doorward at a-company-with-a-rather-long-name.example',
      logo: null,
      contact: 'https://help.example.com/with/a/very/long/path/that/nobody/would/ever/type/by/hand',
    },
    requestId: 'req_0123456789abcdefghjkmnpqrs',
    app: 'a-share-with-a-name-as-long-as-names-of-shares-can-be',
    place: `app.share.example.com/${'path/'.repeat(4)}`,
    details: [{ label: 'Logged in as', value: `${'a'.repeat(64)}@${'b'.repeat(63)}.example` }],
    actions: [
      { label: 'Use another account', href: '/corp/login', primary: true },
      { label: 'Open the page again', href: '/', primary: false },
    ],
  });
  const headers: Record<string, string> = Object.fromEntries(answer.headers);
  site.pages.set(`/${code}`, { status: answer.status, headers, body: String(answer.body) });
  return `${site.url}/${code}`;
}

const DEVICES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const OVERFLOW = 'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)';
const SCRIPTS = `document.scripts.length + [...document.querySelectorAll('*')]
  .filter((each) => each.getAttributeNames().some((name) => name.startsWith('on'))).length`;
/** By the ground that the page paints. */
const IS_DARK = `getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).every((part) => part < 128)`;
