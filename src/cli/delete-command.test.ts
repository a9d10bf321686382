import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { Secret } from '../domain/secret.ts';
import { pathOf } from './help-examples.ts';
import { createProgram } from './program.ts';

test('deletion() makes every delete: each takes one name and the same options (DESIGN 2.4)', () => {
  const nowhere = { out: () => {}, err: () => {}, env: {}, readSecret: async () => new Secret('') };
  const deletes = all(createProgram(nowhere, () => {})).filter((command) => command.name() === 'delete');
  assert.deepEqual(deletes.map(pathOf).toSorted(), [
    'api-key delete',
    'cert token delete',
    'host delete',
    'member delete',
    'provider delete',
    'share delete',
    'token delete',
    'webhook delete',
  ]);
  for (const command of deletes) {
    assert.deepEqual(
      command.registeredArguments.map(({ required }) => required),
      [true],
      pathOf(command),
    );
    assert.deepEqual(
      command.options.map(({ long }) => long),
      ['--cert', '--key', '--url', '--api-key-file', '--allow-plain-http', '--yes', '--json'],
      pathOf(command),
    );
  }
});

function all(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(all)];
}
