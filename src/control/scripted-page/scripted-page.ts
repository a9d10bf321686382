// A page for people that runs files of its own, as it is sent: made of a folder of `console/`, with the
// operator's name on it. Its policy lets it run its own files and call its own host, and nothing else.

import type { Answer } from '../../http/answer.ts';
import { GUARD_HEADERS, scriptedPolicy } from '../../http/content-security.ts';
import { escapeHtml } from '../../http/page-escape.ts';
import { faviconUrl, PAGE_STYLE } from '../../http/page-style.ts';
import { type Brand, brandHtml, contactHtml } from '../../http/page-html.ts';
import { browserModules } from '../../http/browser-modules.ts';
import { readProgramFile } from '../../http/program-files.ts';

export type PageFile = { readonly path: string; readonly answer: () => Answer };

export type ScriptedPage = {
  readonly page: (brand: Brand) => Answer;
  /** What the page loads, each below where its files are. */
  readonly files: readonly PageFile[];
};

/**
 * `folder` of `console/` holds `main` as HTML and as a module, and `page.css` where it has a look of its own;
 * they are loaded from below `files`. What all pages have is in `console/scripted-page/`. Throws when one is
 * missing.
 */
export function scriptedPage({ folder, files, title, hasStyle }: PageParts): ScriptedPage {
  const main = read(`${folder}/main.html`);
  const text = read(`${SHARED}/page.html`);
  const style = `${read(`${SHARED}/page.css`)}${hasStyle ? read(`${folder}/page.css`) : ''}`;
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
        title: escapeHtml(title),
        main,
        files,
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

type PageParts = {
  readonly folder: string;
  readonly files: string;
  readonly title: string;
  readonly hasStyle: boolean;
};

/** From `console/`. */
function read(path: string): string {
  return readProgramFile(`console/${path}`).toString('utf8');
}

function fileAnswer(type: string, body: string): Answer {
  return { status: 200, headers: [['content-type', type], ...GUARD_HEADERS], body };
}

const SHARED = 'scripted-page';
const STYLE_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const PAGE_HEADERS = [
  ['content-type', 'text/html; charset=utf-8'],
  // The operator's logo and the icon are data: URLs; an image cannot run anything.
  ['content-security-policy', scriptedPolicy(['data:'])],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', 'clipboard-write=(self)'],
] as const;
