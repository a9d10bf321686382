import { test } from 'node:test';
import assert from 'node:assert/strict';
import { wantsPage } from './wants-page.ts';

const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const CASES: readonly [wanted: boolean, what: string, headers: Record<string, string>, method?: string][] = [
  [true, 'a browser with Fetch Metadata', { accept: BROWSER_ACCEPT, 'sec-fetch-mode': 'navigate' }],
  [true, 'a navigation whatever it accepts', { accept: '*/*', 'sec-fetch-mode': 'navigate' }],
  [true, 'a form post by navigation', { accept: BROWSER_ACCEPT, 'sec-fetch-mode': 'navigate' }, 'POST'],
  [true, 'a browser without Fetch Metadata', { accept: BROWSER_ACCEPT }],
  [true, 'HTML in any case, with a weight', { accept: 'application/json, Text/HTML; q=0.5' }],
  [false, "curl's default", { accept: '*/*' }],
  [false, 'no Accept', {}],
  [false, 'JSON', { accept: 'application/json' }],
  [false, 'HTML refused', { accept: 'text/html;q=0, */*' }],
  [false, 'HTML refused in full', { accept: 'text/html; q=0.000' }],
  [false, 'another type that begins alike', { accept: 'text/html2' }],
  [true, 'a script that asks for HTML', { accept: 'text/html', 'sec-fetch-mode': 'cors' }],
  [false, 'fetch() from a page', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
  [false, 'an image on a page', { accept: 'image/*,*/*', 'sec-fetch-mode': 'no-cors' }],
  [false, 'X-Requested-With', { accept: BROWSER_ACCEPT, 'x-requested-with': 'XMLHttpRequest' }],
  [false, 'an upgrade', { accept: BROWSER_ACCEPT, upgrade: 'websocket' }],
  [false, 'OPTIONS', { accept: BROWSER_ACCEPT }, 'OPTIONS'],
];

for (const [wanted, what, headers, method = 'GET'] of CASES)
  test(`wantsPage() is ${wanted} for ${what} (2.3, DESIGN "Not a page load")`, () => {
    assert.equal(wantsPage({ method, headers: (name) => headers[name] }), wanted);
  });
