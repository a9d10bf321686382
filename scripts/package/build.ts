// Lays the program out as it is published: the same files in the same places, with JavaScript instead of
// TypeScript, since Node strips no types inside node_modules. Stripped text keeps its lines and columns, so
// traces point where they did.

import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { licensesText } from './licenses.ts';
import { bundleDependencies, OPTIONAL, type Taken, withBundles } from './bundled.ts';

/**
 * Builds from the repository's folder `root` into the empty folder `into`. Throws when a file names one that
 * is not there, or without a console.
 */
export async function buildPackage(root: string, into: string): Promise<void> {
  if (!existsSync(join(root, BUILT, 'index.html')))
    throw new Error('Cannot build the package: the console is not built; run "npm run build" first');
  const files = globSync(SHIPPED, { cwd: root }).filter(
    (file) => statSync(join(root, file)).isFile() && !UNSHIPPED.test(file),
  );
  const taken = files.flatMap((file) => ship(root, into, file));
  await bundleDependencies(root, into, taken);
  writeFileSync(join(into, 'package.json'), publishedForm(readFileSync(join(root, 'package.json'), 'utf8')));
  writeFileSync(join(into, 'THIRD-PARTY-LICENSES'), licensesText(root));
  for (const file of files) checkNames(into, published(file));
}

/** As published: what is needed to develop is left out, and so are dependencies that are inside. */
function publishedForm(text: string): string {
  const given = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> };
  const kept = Object.entries(given).filter(([key]) => !UNPUBLISHED.has(key));
  const optional = {
    peerDependencies: { [OPTIONAL]: `^${given.dependencies[OPTIONAL]}` },
    peerDependenciesMeta: { [OPTIONAL]: { optional: true } },
  };
  return `${JSON.stringify({ ...Object.fromEntries(kept), ...optional }, null, 2)}\n`;
}

/** Answers what the file takes of dependencies. */
function ship(root: string, into: string, file: string): readonly Taken[] {
  const from = join(root, file);
  const to = join(into, published(file));
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
  if (!/\.[jt]s$/.test(file) || file.startsWith(BUILT)) return [];
  const text = readFileSync(from, 'utf8');
  const script = renamed(file.endsWith('.ts') ? stripTypeScriptTypes(text) : text);
  // Examples are copied out of here, and bring their own.
  const { text: bundled, taken } = file.startsWith('examples/')
    ? { text: script, taken: [] }
    : withBundles(script, '../'.repeat(file.split('/').length - 1));
  writeFileSync(to, bundled);
  return taken;
}

function published(file: string): string {
  return file.replace(/\.ts$/, '.js');
}

function renamed(text: string): string {
  return text.replaceAll(NAMED, (_, before: string, name: string) => `${before}${published(name)}'`);
}

function checkNames(into: string, file: string): void {
  if (!file.endsWith('.js') || file.startsWith(BUILT)) return;
  const text = readFileSync(join(into, file), 'utf8');
  for (const [, , name = ''] of text.matchAll(NAMED))
    if (name.endsWith('.ts') || !existsSync(join(into, dirname(file), name)))
      throw new Error(`Cannot build the package: ${file} names ${name}, which is not in it`);
}

/** What stands at the start of a line, or is called: the other file that a file names. */
const NAMED =
  /(^(?:(?:import|export)\b[^'";]*?\bfrom |import |\} from )'|\bimport\(\s*'|\bnew URL\(\s*')(\.{1,2}\/[^']*)'/gm;
const SHIPPED = ['bin/**', 'src/**', 'console/**', 'devidp/**', 'examples/**', 'docs/**', '*.md', 'LICENSE'];
/** The console as Vite built it: finished JavaScript. */
const BUILT = 'console/dist/';
const UNSHIPPED = /\.(?:test|test-support|d)\.ts$|^console\/app\/|(?:^|\/)(?:node_modules\/|tsconfig\.json$)/;
const UNPUBLISHED: ReadonlySet<string> = new Set([
  'private',
  'scripts',
  'dependencies',
  'devDependencies',
  'overrides',
  'allowScripts',
]);
