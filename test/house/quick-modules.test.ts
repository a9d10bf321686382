// Under the gate modules are read another way than by Node alone. Both ways they are the same.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { offerModules, type QuickModules } from '../../scripts/gate/offer-modules.ts';
import { asInstalled } from '../support/front-door.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Two environments: modules are read by Node alone, and as under the gate. */
const plain: NodeJS.ProcessEnv = asInstalled();
let quick: NodeJS.ProcessEnv = process.env;
let known: QuickModules;
let own: Disposable | null = null;

before(async () => {
  if (process.env['DOORWARD_TEST_MODULES'] === undefined) {
    const offer = await offerModules(ROOT, join(ROOT, 'node_modules/.cache/doorward-dependencies'));
    own = offer;
    quick = { ...plain, ...offer.env };
  }
  known = JSON.parse(readFileSync(String(quick['DOORWARD_TEST_MODULES']), 'utf8')) as QuickModules;
});
after(() => own?.[Symbol.dispose]());

test('quick modules are modules of the checkout with their addresses, and each is there once', () => {
  assert.ok(Object.keys(known.places).length > 1_000);
  const script = `
    const { Secret } = await import('./src/domain/secret.ts');
    const { newMasterKeyText, parseMasterKey } = await import('./src/store/sealing/master-key.ts');
    const { FRONT_DOOR } = await import('./test/support/front-door.ts');
    console.log(JSON.stringify([parseMasterKey(newMasterKeyText()) instanceof Secret, FRONT_DOOR]));`;
  const said = runBoth(script);
  assert.deepEqual(JSON.parse(said.quick), [true, join(ROOT, 'bin/doorward.js')]);
  assert.equal(said.quick, said.plain);
});

test('an error in a quick module names its file, line and column', () => {
  const script = `
    const { parseConfig } = await import('./src/config/parse.ts');
    try { parseConfig(null); } catch (error) { console.log(error.stack); }`;
  const said = runBoth(script);
  assert.match(said.quick, /\/src\/config\/parse\.ts:\d+:\d+/);
  assert.equal(said.quick, said.plain);
});

test('each bundled dependency gives what the package gives, under the same names', () => {
  const names = Object.keys(known.dependencies);
  assert.ok(
    names.includes('kysely') && names.includes('pg') && names.includes('oidc-provider'),
    names.join(),
  );
  const script = `
    for (const name of ${JSON.stringify(names)}) {
      const found = await import(name);
      console.log(name, Object.keys(found).filter((each) => each !== 'module.exports').map((each) => each + ':' + typeof found[each]).join());
    }`;
  const said = runBoth(script);
  assert.equal(said.quick, said.plain);
});

test('a module that is not there is missed as Node misses it', () => {
  const script = `await import('./not-there.ts').catch(({ code }) => console.log(code));`;
  assert.deepEqual(runBoth(script), {
    plain: 'ERR_MODULE_NOT_FOUND\n',
    quick: 'ERR_MODULE_NOT_FOUND\n',
  });
});

/** What a module in the checkout's folder says that has this text. */
function runBoth(text: string): { readonly plain: string; readonly quick: string } {
  return { plain: saidWith(text, plain), quick: saidWith(text, quick) };
}

function saidWith(text: string, env: NodeJS.ProcessEnv): string {
  const words = ['--input-type=module', '--eval', text];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
