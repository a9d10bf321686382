// What `quick-modules.js` reads: the checkout's modules without their types, and each dependency as one
// module.

import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Addresses throughout, but for `texts`, a file: where in it each module stands, in bytes. */
export type QuickModules = {
  readonly root: string;
  /** By what they are named as. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly texts: string;
  readonly places: Readonly<Record<string, readonly [start: number, length: number]>>;
};

/**
 * For all processes that inherit the environment which `env` names. The checkout is read once: what changes
 * while the tests run is not seen. `cache` keeps the bundles of dependencies, which change seldom.
 */
export async function offerModules(
  root: string,
  cache: string,
): Promise<Disposable & { readonly env: Readonly<Record<string, string>> }> {
  const files = globSync(READ, { cwd: root }).filter((file) => !UNREAD.test(file));
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
  const dependencies = await bundles(root, cache, namedIn(root, texts));
  const folder = mkdtempSync(join(tmpdir(), 'doorward-modules-'));
  const known: QuickModules = {
    root: pathToFileURL(`${root}/`).href,
    dependencies,
    ...laidOut(root, texts, join(folder, 'texts')),
  };
  const index = join(folder, 'index.json');
  writeFileSync(index, JSON.stringify(known));
  const hooks = pathToFileURL(join(import.meta.dirname, 'quick-modules.js')).href;
  return {
    env: { DOORWARD_TEST_MODULES: index, NODE_OPTIONS: `--import=${hooks}` },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Text = readonly [file: string, text: string];

/** As Node takes the types off: what is left keeps its line and column. */
function laidOut(root: string, texts: readonly Text[], into: string): Pick<QuickModules, 'texts' | 'places'> {
  const places: Record<string, readonly [number, number]> = {};
  const parts: Buffer[] = [];
  let start = 0;
  for (const [file, text] of texts) {
    const { href } = pathToFileURL(join(root, file));
    const bytes = Buffer.from(file.endsWith('.ts') ? stripTypeScriptTypes(text, { sourceUrl: href }) : text);
    places[href] = [start, bytes.length];
    parts.push(bytes);
    start += bytes.length;
  }
  writeFileSync(into, Buffer.concat(parts));
  return { texts: into, places };
}

/** What the checkout's modules name of the dependencies that are worth it. */
function namedIn(root: string, texts: readonly Text[]): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const worth = new Set([...Object.keys(dependencies), 'fast-check']);
  const named = texts.flatMap(([, text]) => [...text.matchAll(NAMED)].map(([, name = '']) => name));
  return [...new Set(named)].filter((name) => worth.has(packageOf(name))).toSorted();
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Addresses of the bundles by what they stand for. They share what several of them take. */
async function bundles(
  root: string,
  cache: string,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const made = createHash('sha256').update(JSON.stringify([names, process.version]));
  for (const file of [join(root, 'package-lock.json'), import.meta.filename]) made.update(readFileSync(file));
  const folder = join(cache, made.digest('hex').slice(0, 20));
  if (!existsSync(folder)) await bundle(root, { names, cache, folder });
  return Object.fromEntries(names.map((name) => [name, pathToFileURL(join(folder, fileOf(name))).href]));
}

async function bundle(
  root: string,
  {
    names,
    cache,
    folder,
  }: { readonly names: readonly string[]; readonly cache: string; readonly folder: string },
): Promise<void> {
  // As if they lay in the root: dependencies are found from there.
  const entries = new Map<string, string>();
  for (const name of names) {
    // All that Node finds in it, which for scripts no bundler knows.
    const found = Object.keys((await import(name)) as object).filter((each) => each !== 'module.exports');
    entries.set(join(root, fileOf(name)), `export { ${found.join(', ')} } from '${name}';\n`);
  }
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'making-'));
  const bundled = await rolldown({
    input: [...entries.keys()],
    cwd: root,
    platform: 'node',
    // An option of `pg` that needs a compiler; it is asked for and may be missing.
    external: ['pg-native'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (entries.has(id) ? id : null),
        load: (id) => entries.get(id) ?? null,
      },
    ],
  });
  await bundled.write({
    dir: work,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
  });
  await bundled.close();
  // They lie below node_modules, where files say by themselves what they are.
  writeFileSync(join(work, 'package.json'), '{ "type": "module" }\n');
  renameSync(work, folder);
}

function fileOf(name: string): string {
  return `${name.replace('@', '').replaceAll('/', '-')}.js`;
}

const READ = '{src,devidp,examples,scripts,test,bench}/**/*.{ts,js}';
const UNREAD = /\.d\.ts$|(?:^|\/)node_modules\//;
const NAMED = /(?:\bfrom|\bimport\(|\(import\.meta\.url\)\()\s*'([@a-z][\w./@-]*)'/g;
