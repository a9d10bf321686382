// `npm run site`: the documents as a site, opened in a browser.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { linkOf, SECTIONS } from '../../site/sidebar.ts';
import { titleOf } from '../../site/stage.ts';
import { assertAccessible } from '../support/axe.ts';
import { startShell, type TestChromium } from '../support/chromium.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'doorward-site-'));
let server: Server;
let origin = '';
let chromium: TestChromium;

before(async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'site/build.ts'), folder], {
    encoding: 'utf8',
    // Its own progress is drawn for terminals.
    env: { ...process.env, CI: '1' },
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://site.example').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  chromium = await startShell({ ca: null, folder });
});

after(async () => {
  await chromium?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('each listed page is built, under its own title', () => {
  for (const page of SECTIONS.flatMap(({ pages }) => pages)) {
    const file = page === 'README' ? 'index.html' : `${linkOf(page)}.html`;
    const html = readFileSync(join(folder, file), 'utf8');
    const title = titleOf(ROOT, `${page}.md`).replaceAll('&', '&amp;');
    assert.ok(html.includes(`<title>${title} | Doorward</title>`) || page === 'README', page);
  }
});

test('examples that documents link to are pages with their lines', () => {
  const html = readFileSync(join(folder, 'examples/agent.yaml.html'), 'utf8');
  assert.match(html, /examples\/agent\.yaml/);
  assert.match(html, /shares/);
});

test('the site is searched, dark and small, and asks no other host', async (t) => {
  const { page } = await chromium.visitor(t, { colorScheme: 'dark' });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:'))
      elsewhere.push(request.url());
  });
  await page.goto(`${origin}/`);
  await page.locator('h1', { hasText: 'Doorward' }).waitFor();
  assert.ok(await page.evaluate("document.documentElement.classList.contains('dark')"));
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill('revoked certificate');
  await page.locator('#localsearch-list a').first().waitFor();
  await page.locator('#localsearch-list a').first().click();
  await page.waitForURL(/\.html/);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${origin}/docs/how-to/who-gets-in.html`);
  await page.locator('h1').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await assertAccessible(page, { only: ['color-contrast', 'image-alt', 'link-name', 'document-title'] });
  assert.deepEqual(elsewhere, []);
});

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
