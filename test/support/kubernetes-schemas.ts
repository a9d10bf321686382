// The schemas of Kubernetes' own kinds, as the Python package kubernetes-validate carries them for many of
// its versions; kubeconform's own are on the internet.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const FIND = `import importlib.util
found = importlib.util.find_spec("kubernetes_validate")
print(found.submodule_search_locations[0] if found else "")`;
const PACKAGE = packageFolder();

/** Why not, for `skip`; false when they are there. */
export const NO_SCHEMAS: string | false =
  PACKAGE === null ? 'the Python package kubernetes-validate is not installed' : false;

/** `1.37.0`; a chart is held to this one, and to the oldest that it is for. */
export function newestKubernetes(): string {
  const numbers = globSync('v*-local-strict', { cwd: schemasFolder() }).map((name) => name.split(/[v-]/)[1]!);
  return numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)!;
}

/** Lays those of a version into the folder; answers what kubeconform calls `-schema-location`. */
export function laySchemas(version: string, folder: string): string {
  const source = join(schemasFolder(), `v${version}-local-strict`);
  assert.ok(existsSync(source), `kubernetes-validate has no schemas of Kubernetes ${version}`);
  const laid = join(folder, `kubernetes-${version}`);
  mkdirSync(laid);
  for (const file of globSync('*.json', { cwd: source }))
    writeFileSync(join(laid, basename(file)), besideOthers(readFileSync(join(source, file), 'utf8')));
  return join(laid, '{{.ResourceKind}}{{.KindSuffix}}.json');
}

/** By their ids they refer to addresses on the internet; without, to the file beside them. */
function besideOthers(schema: string): string {
  return schema
    .replaceAll(/,\s*"\$id": "[^"]*"|"\$id": "[^"]*",/g, '')
    .replaceAll('"/api/_definitions.json', '"_definitions.json');
}

function schemasFolder(): string {
  assert.ok(PACKAGE !== null, String(NO_SCHEMAS));
  return join(PACKAGE, 'kubernetes-json-schema');
}

function packageFolder(): string | null {
  const { stdout, status } = spawnSync('python3', ['-c', FIND], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}
