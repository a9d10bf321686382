// The page where tokens are redeemed, as it is sent: made of `console/redeem/`, with the operator's name on it. Its policy lets
// it run its own files and call its own host, and nothing else.

import { readFileSync } from 'node:fs';
import type { Answer } from '../../http/answer.ts';
import { GUARD_HEADERS } from '../../http/content-security.ts';
import { escapeHtml } from '../../http/page-escape.ts';
import { faviconUrl, PAGE_STYLE } from '../../http/page-style.ts';
import { type Brand, brandHtml, contactHtml } from '../../http/page.ts';
import { browserModules } from './browser-modules.ts';

export type PageFile = { readonly path: string; readonly answer: () => Answer };

/** What the page loads, each below `/redeem/files/`. */
export function pageFiles(): readonly PageFile[] {
  const style = {
    path: `${FILES}/page.css`,
    answer: () => fileAnswer(STYLE_TYPE, `${PAGE_STYLE}${OWN_STYLE}`),
  };
  const scripts = MODULES.map(({ path, text }) => ({
    path: `${FILES}/${path}`,
    answer: () => fileAnswer(SCRIPT_TYPE, text()),
  }));
  return [style, ...scripts];
}

export function redeemPage(brand: Brand): Answer {
  const parts: Readonly<Record<string, string>> = {
    name: escapeHtml(brand.name),
    icon: escapeHtml(faviconUrl()),
    brand: brandHtml(brand),
    contact: brand.contact === null ? '' : contactHtml(brand.contact),
    modules: MODULE_TAGS,
  };
  const body = PAGE.replaceAll(/<!--(\w+)-->/g, (_, name: string) => parts[name] ?? '');
  return { status: 200, headers: [...PAGE_HEADERS, ...GUARD_HEADERS], body };
}

function fileAnswer(type: string, body: string): Answer {
  return { status: 200, headers: [['content-type', type], ...GUARD_HEADERS], body };
}

function read(name: string): string {
  return readFileSync(new URL(name, PAGE_FOLDER), 'utf8');
}

const FILES = '/redeem/files';
const PAGE_FOLDER = new URL('../../../console/redeem/', import.meta.url);
const PAGE = read('page.html');
const OWN_STYLE = read('page.css');
const ENTRY = 'console/redeem/main';
const MODULES = browserModules(ENTRY);
/** All at once: otherwise the browser would find each only in the one before. */
const MODULE_TAGS = [
  ...MODULES.slice(1).map(({ path }) => `<link rel="modulepreload" href="${FILES}/${path}">`),
  `<script type="module" src="${FILES}/${ENTRY}.js"></script>`,
].join('\n');
const STYLE_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // The operator's logo and the icon are data: URLs; an image cannot run anything.
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  // Text never becomes markup or script.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const PAGE_HEADERS = [
  ['content-type', 'text/html; charset=utf-8'],
  ['content-security-policy', POLICY],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', 'clipboard-write=(self)'],
] as const;
