import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Secret } from '../../domain/secret.ts';
import { choosePassphrase } from './key-store.ts';
import type { Terminal } from '../terminal.ts';

const ignore = () => undefined;

function terminalWith(typed: string): Terminal {
  return { out: ignore, err: ignore, env: {}, readSecret: async () => new Secret(typed) };
}

test('choosePassphrase() takes what is typed or lies in a file, or makes one, and none that is weak', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-passphrase-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'passphrase');
  await writeFile(file, ' with a space in front\r\n');
  const typed = await choosePassphrase(terminalWith('typed by hand'), '-', 'current');
  assert.deepEqual([typed.text.reveal(), typed.fresh], ['typed by hand', false]);
  const read = await choosePassphrase(terminalWith(''), file, 'older');
  assert.deepEqual([read.text.reveal(), read.form], [' with a space in front', 'older']);
  const [one, two] = [
    await choosePassphrase(terminalWith(''), undefined, 'older'),
    await choosePassphrase(terminalWith(''), undefined, 'older'),
  ];
  assert.equal(one.fresh, true);
  assert.notEqual(one.text.reveal(), two.text.reveal());
  for (const [text, form] of [
    ['elevenchars', 'current'],
    ['typed by hand', 'older'],
    ['Žofie has a laptop', 'current'],
  ] as const)
    await assert.rejects(choosePassphrase(terminalWith(text), '-', form), { code: 'usage' });
});
