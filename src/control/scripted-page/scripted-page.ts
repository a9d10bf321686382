// A page for people that runs files of its own, as it is sent: made of a folder of `console/`, with the operator's name on it. Its policy
// lets it run its own files and call its own host, and nothing else.

import { readFileSync } from 'node:fs';
import type { Answer } from '../../http/answer.ts';
import { GUARD_HEADERS } from '../../http/content-security.ts';
import { escapeHtml } from '../../http/page-escape.ts';
import { faviconUrl, PAGE_STYLE } from '../../http/page-style.ts';
import { type Brand, brandHtml, contactHtml } from '../../http/page.ts';
import { browserModules } from './browser-modules.ts';

export type PageFile = { readonly path: string; readonly answer: () => Answer };

export type ScriptedPage = {
  readonly page: (brand: Brand) => Answer;
  /** What the page loads, each below where its files are. */
  readonly files: readonly PageFile[];
};

/** `folder` of `console/` holds `page.html`, `page.css` and `main`; they are loaded from below `files`. Throws when one is missing. */
export function scriptedPage(folder: string, files: string): ScriptedPage {
  const read = (name: string) =>
    readFileSync(new URL(`../../../console/${folder}/${name}`, import.meta.url), 'utf8');
  const [text, style] = [read('page.html'), read('page.css')];
  const entry = `console/${folder}/main`;
  const modules = browserModules(entry);
  // All at once: otherwise the browser would find each only in the one before.
  const tags = [
    ...modules.slice(1).map(({ path }) => `<link rel="modulepreload" href="${files}/${path}">`),
    `<script type="module" src="${files}/${entry}.js"></script>`,
  ].join('\n');
  return {
    page: (brand) => {
      const parts: Readonly<Record<string, string>> = {
        name: escapeHtml(brand.name),
        icon: escapeHtml(faviconUrl()),
        brand: brandHtml(brand),
        contact: brand.contact === null ? '' : contactHtml(brand.contact),
        modules: tags,
      };
      const body = text.replaceAll(/<!--(\w+)-->/g, (_, name: string) => parts[name] ?? '');
      return { status: 200, headers: [...PAGE_HEADERS, ...GUARD_HEADERS], body };
    },
    files: [
      { path: `${files}/page.css`, answer: () => fileAnswer(STYLE_TYPE, `${PAGE_STYLE}${style}`) },
      ...modules.map(({ path, text: script }) => ({
        path: `${files}/${path}`,
        answer: () => fileAnswer(SCRIPT_TYPE, script()),
      })),
    ],
  };
}

function fileAnswer(type: string, body: string): Answer {
  return { status: 200, headers: [['content-type', type], ...GUARD_HEADERS], body };
}

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
