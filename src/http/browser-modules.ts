// The modules of a page, from where this program lies: the one that the page names, and what that imports, and nothing else.
// Where they are TypeScript, their types are taken out when they are first asked for; the published program has JavaScript.

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, posix } from 'node:path';

export type BrowserModule = {
  /** From the program's root, as JavaScript: `console/redeem/main.js`. Modules name each other relative to it. */
  readonly path: string;
  readonly text: () => string;
};

/** `entry` is a path from the root, without its extension. Throws when a file is not there. */
export function browserModules(entry: string): readonly BrowserModule[] {
  const modules = new Map<string, BrowserModule>();
  const visit = (path: string): void => {
    if (modules.has(path)) return;
    const source = readFileSync(new URL(`${path}${EXTENSION}`, ROOT), 'utf8');
    let text: string | null = null;
    modules.set(path, { path: `${path}.js`, text: () => (text ??= forBrowsers(source)) });
    for (const [, name = ''] of source.matchAll(IMPORTED))
      visit(posix.join(posix.dirname(path), name.slice(0, -EXTENSION.length)));
  };
  visit(entry);
  return [...modules.values()];
}

function forBrowsers(source: string): string {
  if (EXTENSION === '.js') return source;
  return withoutTypes(source).replaceAll(IMPORTED, (line) => line.replace(/\.ts'$/, ".js'"));
}

/** Node says once that this is experimental. It is no news to whoever started the service. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

const ROOT = new URL('../../', import.meta.url);
/** Ours, and so that of all files of the program. */
const EXTENSION = extname(import.meta.url);
/** Imports that are left when types are gone. */
const IMPORTED = /^(?:import (?!type )[^'";]*?from |\} from |import )'(\.{1,2}\/[^']+)'/gm;
