import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { Secret } from '../domain/secret.ts';
import { examplesOf, pathOf } from './help-examples.ts';
import { createProgram } from './program.ts';

test('every command shows an example in its help, which the parser reads (Help)', () => {
  for (const { path } of leaves(tree())) {
    const examples = examplesOf(find(tree(), path));
    assert.notEqual(examples.length, 0, `doorward ${path} has no example`);
    for (const line of examples) {
      const words = wordsOf(line);
      const fresh = find(tree(), path);
      const given = words.slice(1 + path.split(' ').length);
      assert.equal(words.slice(0, 1 + path.split(' ').length).join(' '), `doorward ${path}`, line);
      const { operands, unknown } = fresh.parseOptions(given);
      assert.deepEqual(unknown, [], line);
      const { registeredArguments } = fresh;
      assert.ok(operands.length <= registeredArguments.length, line);
      assert.ok(operands.length >= registeredArguments.filter(({ required }) => required).length, line);
    }
  }
});

test('the help of the program lists every command in a group, and fits 80 columns (Help)', () => {
  let help = '';
  const program = tree();
  program.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  assert.doesNotMatch(help, /^Commands:/m);
  for (const { path } of leaves(program))
    assert.match(help, new RegExp(`^  ${path.split(' ')[0]}\\b`, 'm'), path);
  assert.deepEqual(
    help.split('\n').filter((line) => line.length > 80),
    [],
  );
});

test('every command that cannot be undone takes --yes (Questions)', () => {
  const asking = leaves(tree()).filter(({ path }) => /\b(delete|revoke|end|suspend|rotate)$/.test(path));
  assert.ok(asking.length > 10);
  for (const { path, command } of asking)
    if (path !== 'key rotate')
      assert.ok(
        command.options.some(({ long }) => long === '--yes'),
        path,
      );
});

function tree(): Command {
  const nowhere = { out: () => {}, err: () => {}, env: {}, readSecret: async () => new Secret('') };
  return createProgram(nowhere, () => {});
}

function leaves(command: Command): readonly { readonly path: string; readonly command: Command }[] {
  if (command.commands.length === 0) return [{ path: pathOf(command), command }];
  const shown = command.createHelp().visibleCommands(command);
  return command.commands.filter((each) => shown.includes(each)).flatMap(leaves);
}

function find(program: Command, path: string): Command {
  const found = leaves(program).find((leaf) => leaf.path === path);
  assert.ok(found, path);
  return found.command;
}

/** As a shell reads the line: no more than quotes, redirections and substitution. */
function wordsOf(line: string): readonly string[] {
  const plain = line.replace(/^source <\((.*)\)$/, '$1').replace(/ [<>] \S+$/, '');
  return [...plain.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
