// The modules of a page, from the program's own files: the one that the page names, and what that imports,
// and nothing else. Where they are TypeScript, their types are taken out when they are first asked for; the
// published program has JavaScript.

import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { readProgramFile, SOURCE_EXTENSION } from './program-files.ts';

export type BrowserModule = {
  /**
   * From the program's root, as JavaScript: `console/redeem/main.js`. Modules name each other relative to it.
   */
  readonly path: string;
  readonly text: () => string;
};

/** `entry` is a path from the root, without its extension. Throws when a file is not there. */
export function browserModules(entry: string): readonly BrowserModule[] {
  const modules = new Map<string, BrowserModule>();
  const visit = (path: string): void => {
    if (modules.has(path)) return;
    const source = readProgramFile(`${path}${SOURCE_EXTENSION}`).toString('utf8');
    let text: string | null = null;
    modules.set(path, { path: `${path}.js`, text: () => (text ??= forBrowsers(source)) });
    for (const [, name = ''] of source.matchAll(IMPORTED))
      visit(posix.join(posix.dirname(path), name.slice(0, -SOURCE_EXTENSION.length)));
  };
  visit(entry);
  return [...modules.values()];
}

function forBrowsers(source: string): string {
  if (SOURCE_EXTENSION === '.js') return source;
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

/** Imports that are left when types are gone. */
const IMPORTED = /^(?:import (?!type )[^'";]*?from |\} from |import )'(\.{1,2}\/[^']+)'/gm;
