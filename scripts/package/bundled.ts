// The dependencies of the published form, bundled: one file for each package that the program's files name,
// with what they take of it. So an installation is the program as it was tested, is a third of the size, and
// needs no network.

import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** What one file takes of one dependency; `*` for everything. */
export type Taken = { readonly dependency: string; readonly names: readonly string[] };

/** The folder of the bundles, from the program's root. */
const BUNDLES = 'vendor';
/** Stays a package of its own, for those who want it: the library of the test provider. */
export const OPTIONAL = 'oidc-provider';

/**
 * A file of JavaScript that imports bundles instead of packages, and what it takes of them. `up` is the way
 * from the file's folder to the program's root. Throws for an import whose names cannot be told.
 */
export function withBundles(
  text: string,
  up: string,
): { readonly text: string; readonly taken: readonly Taken[] } {
  const taken: Taken[] = [];
  const bundle = (dependency: string, names: string | undefined, statement: string): string => {
    if (names === undefined) throw new Error(`Cannot tell what is taken of ${dependency}: ${statement}`);
    taken.push({ dependency, names: namesIn(names) });
    return `'${up}${BUNDLES}/${fileOf(dependency)}'`;
  };
  const changed = text.replaceAll(
    IMPORT,
    (
      all: string,
      before: string,
      ofStatement: string | undefined,
      ofCall: string | undefined,
      name: string,
    ) => (name === OPTIONAL ? all : `${before}${bundle(name, ofStatement ?? ofCall, all)}`),
  );
  return { text: changed, taken };
}

/** Writes the bundles below the folder `into`. `root` is where the dependencies are installed. */
export async function bundleDependencies(root: string, into: string, taken: readonly Taken[]): Promise<void> {
  const dependencies = [...new Set(taken.map(({ dependency }) => dependency))].toSorted();
  const input = Object.fromEntries(
    // As if it lay in the root: dependencies are found from there.
    dependencies.map((dependency) => [fileOf(dependency), join(root, fileOf(dependency))]),
  );
  const texts = new Map(
    dependencies.map((dependency) => {
      const names = new Set(taken.flatMap((each) => (each.dependency === dependency ? each.names : [])));
      const list = names.has('*') ? '*' : `{ ${[...names].toSorted().join(', ')} }`;
      return [join(root, fileOf(dependency)), `export ${list} from '${dependency}';\n`];
    }),
  );
  const bundled = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: [
      // An option of `pg` that needs a compiler; it is asked for and may be missing.
      'pg-native',
    ],
    plugins: [madeUp(texts)],
  });
  await bundled.write({
    dir: join(into, BUNDLES),
    format: 'esm',
    entryFileNames: '[name]',
    chunkFileNames: 'shared-[hash].js',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
}

/** Files that are nowhere but here. */
function madeUp(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'made-up',
    resolveId: (id) => (texts.has(id) ? id : null),
    load: (id) => texts.get(id) ?? null,
  };
}

function namesIn(list: string): readonly string[] {
  if (list.startsWith('*')) return ['*'];
  return list
    .slice(1, -1)
    .split(',')
    .flatMap((each) => /\w+/.exec(each)?.slice(0, 1) ?? []);
}

function fileOf(dependency: string): string {
  return `${dependency.replace('@', '').replaceAll('/', '-')}.js`;
}

/** An import of a package: how it begins, what it takes where that can be told, and of what. */
const IMPORT =
  /(^import (?:(\{[^}]*\}|\* as \w+) from |[^'"{*;]* from |)|^export [^'";]*? from |^\} from |const (\{[^}]*\}) = await import\(|\bimport\()'(?!\.|node:|#)([@\w][^']*)'/gm;
