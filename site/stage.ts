// What the site is built from: the documents of the repository as they are, and a page for each example and each
// file of `deploy/` that one of them links to. Other sources are named there, and not shown.

import {
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';

/** Every document that becomes a page, as paths in the repository. */
export function documentsOf(root: string): readonly string[] {
  return globSync(['*.md', 'docs/**/*.md', '{bench,examples}/*.md'], { cwd: root }).toSorted();
}

/** Writes the sources of the site into a folder. */
export function stage(root: string, into: string): void {
  const asked = new Set<string>();
  for (const document of documentsOf(root)) {
    const text = readFileSync(join(root, document), 'utf8');
    write(into, pageOf(document), withLinks(text, document, root, asked));
  }
  for (const image of globSync('docs/images/**/*.{png,svg}', { cwd: root })) copy(root, into, image);
  // A folder's page asks for those of its files: a set that grows while it is walked.
  for (const path of asked) writeSource(root, into, path, asked);
}

/** Links lead to pages of the site; where there is none, the text alone is left. */
function withLinks(text: string, document: string, root: string, asked: Set<string>): string {
  const from = dirname(document);
  const linked = (whole: string, words: string, target: string, part = ''): string => {
    const path = join(from, decodeURIComponent(target)).replace(/\/$/, '');
    if (path.endsWith('.md')) return `[${words}](${relativeTo(from, pageOf(path))}${part})`;
    if (/\.(?:png|svg)$/.test(path)) return whole;
    if (!SHOWN.test(path)) return words;
    asked.add(path);
    const page = statSync(join(root, path)).isDirectory() ? `${path}/index.md` : `${path}.md`;
    return `[${words}](${relativeTo(from, page)})`;
  };
  return outsideCode(text, (prose) =>
    prose
      .replaceAll(/\[([^\][]*)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)/g, linked)
      .replaceAll(/ (src|srcset)="(?!\w+:|\.)/g, ' $1="./')
      // Vue would take any other tag for one of its own.
      .replaceAll(/<(?!\/?(?:picture|source|img|br|kbd|sub|sup)\b)(?=\/?[a-z])/gi, '&lt;'),
  );
}

/** Applies a change to prose alone, never to code: that is kept aside meanwhile. */
function outsideCode(text: string, change: (prose: string) => string): string {
  const kept: string[] = [];
  const prose = text.replaceAll(
    /^ *```[^]*?^ *```|`[^`\n]*`/gm,
    (code) => `\uE000${kept.push(code) - 1}\uE000`,
  );
  return change(prose).replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** The page of a file, or of a folder with links to all that it holds. */
function writeSource(root: string, into: string, path: string, asked: Set<string>): void {
  if (!statSync(join(root, path)).isDirectory()) return writeFilePage(root, into, path);
  const page = `${path}/index.md`;
  if (documentsOf(root).some((document) => pageOf(document) === page)) return;
  const entries = readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const lines = entries.map((entry) => {
    const child = join(path, entry.name);
    if (child.endsWith('.md')) return `- [${titleOf(root, child)}](./${entry.name})`;
    asked.add(child);
    return entry.isDirectory()
      ? `- [${entry.name}/](./${entry.name}/index.md)`
      : `- [${entry.name}](./${entry.name}.md)`;
  });
  write(into, page, `# ${path}\n\n${lines.join('\n')}\n`);
}

function writeFilePage(root: string, into: string, path: string): void {
  const text = readFileSync(join(root, path), 'utf8');
  const ticks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const kind = LANGUAGES[extname(path).slice(1)] ?? 'txt';
  // Found by its name, not by its lines: the search is for documents.
  write(into, `${path}.md`, `---\nsearch: false\n---\n\n# ${path}\n\n${ticks}${kind}\n${text}\n${ticks}\n`);
}

/** The first heading of a document. */
export function titleOf(root: string, document: string): string {
  const [, title = basename(document)] = /^# (.+)$/m.exec(readFileSync(join(root, document), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

/** A README is the first page of its folder. */
function pageOf(document: string): string {
  return document.replace(/(^|\/)README\.md$/, '$1index.md');
}

function relativeTo(from: string, page: string): string {
  const path = relative(from, page);
  return path.startsWith('.') ? path : `./${path}`;
}

function copy(root: string, into: string, file: string): void {
  mkdirSync(dirname(join(into, file)), { recursive: true });
  copyFileSync(join(root, file), join(into, file));
}

function write(into: string, file: string, text: string): void {
  mkdirSync(dirname(join(into, file)), { recursive: true });
  writeFileSync(join(into, file), text);
}

/** What documents link to and readers copy from. */
const SHOWN = /^(?:examples|deploy)(?:\/|$)/;

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'ts',
  mjs: 'js',
  js: 'js',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  py: 'python',
  go: 'go',
  sh: 'sh',
  service: 'ini',
  conf: 'nginx',
};
