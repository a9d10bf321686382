// `node bench/record-heads.ts`: records what Chromium asks for as a page of an app is opened, read and loaded
// again, with cookies as apps and their statistics set them, into load/browser-heads.json. Run once; the
// bench sends the same heads, with its own host and session in them.

import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { ARGUMENTS } from '../test/support/chromium.ts';

const SESSION = 'the-session';
/** Of usual names and lengths; the session's place is among them. */
const COOKIES: readonly (readonly [name: string, value: string])[] = [
  ['_ga', 'GA1.1.1482930571.1763712345'],
  ['_ga_4XK92BQ1ZD', 'GS2.1.s1763715901$o14$g1$t1763716233$j60$l0$h0'],
  ['csrftoken', 'n3Vb0dQm5Zr8KxTqLw1YfHs6JcPgUa2E'],
  ['device-id-w8k2', '5f0d3c1e-9a47-4c1e-8d2b-77f6a0b1c2d3'],
  [SESSION, ''],
  ['theme', 'dark'],
  ['app_session', 'a8f3c2d19a474c1e8d2b77f6a0b1c2d3.aSBkYjE.k9Qn7v3mZ1bTqLw1YfHs6JcPgUa2EnVb0dQm5Zr8Kx'],
];
const TYPES: readonly (readonly [path: RegExp, type: string])[] = [
  [/\.css/, 'text/css'],
  [/\.js/, 'text/javascript'],
  [/\.svg/, 'image/svg+xml'],
  [/\.woff2/, 'font/woff2'],
  [/^\/api\//, 'application/json'],
  [/^\//, 'text/html'],
];
const STYLE = `@font-face { font-family: A; src: url(/assets/inter-4f2a.woff2) } body { font-family: A; background: url(/assets/wave-91.svg) }`;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8H0z"/></svg>';
const PAGE = `<!doctype html><title>Board</title>
<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/assets/app-7c31d0.css">
<link rel="stylesheet" href="/assets/theme-2b.css">
<script type="module" src="/assets/app-19fe44.js"></script><script src="/assets/vendor-8c1e.js" defer></script>
<p>Text</p><img src="/assets/logo-5d.svg"><img src="/media/avatars/42.svg?s=64"><img src="/media/avatars/43.svg?s=64">
<a id="next" href="/projects/7/board?view=week">Next</a>
<script>
  const options = { headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' } };
  fetch('/api/v2/me', options); fetch('/api/v2/projects/7/items?limit=50&sort=-updated', options);
  fetch('/api/v2/notifications?unread=1');
</script>`;

const heads: string[] = [];
const server = createServer((request, response) => {
  heads.push(headOf(request));
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://demo.share.localhost:${(server.address() as AddressInfo).port}`;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...ARGUMENTS] });
try {
  const userAgent = (await (await browser.newPage()).evaluate<string>('navigator.userAgent')).replace(
    'HeadlessChrome',
    'Chrome',
  );
  const profile = await browser.newContext({ userAgent, locale: 'en-US' });
  await profile.addCookies(COOKIES.map(([name, value]) => ({ name, value, url: origin })));
  const page = await profile.newPage();
  await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
  await page.click('a#next');
  await page.waitForURL(`${origin}/projects/7/board?view=week`);
  await page.waitForLoadState('networkidle');
  await page.reload({ waitUntil: 'networkidle' });
} finally {
  await browser.close();
  server.close();
}
writeFileSync(new URL('load/browser-heads.json', import.meta.url), `${JSON.stringify(heads, null, 2)}\n`);
process.stdout.write(`${heads.length} heads\n`);

/** As it came, but for the host, the session, and the word by which Chromium says that nobody sees it. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`
    .replaceAll(new URL(origin).host, '{host}')
    .replaceAll('HeadlessChrome', 'Google Chrome')
    .replace(`${SESSION}=`, '{session}');
}

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const type = TYPES.find(([path]) => path.test(url))?.[1] ?? 'application/json';
  const caching = type === 'text/html' ? 'no-cache' : 'max-age=0';
  const etag = `"${Buffer.from(url).toString('hex').slice(0, 24)}"`;
  const kept = { 'Cache-Control': caching, ETag: etag, 'Last-Modified': 'Sat, 21 Nov 2026 09:00:00 GMT' };
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, kept).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': type, ...kept });
  response.end(
    type === 'text/html' ? PAGE : type === 'image/svg+xml' ? PICTURE : type === 'text/css' ? STYLE : '',
  );
}
