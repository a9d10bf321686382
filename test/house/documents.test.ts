// What the documents tell people to type is taken: each configuration in them is sound, each command exists
// with its options.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { PARTS } from '../../bench/only.ts';
import { parseAgentConfig } from '../../src/config/agent-config.ts';
import { parseState } from '../../src/config/state-file.ts';
import { newApiKey } from '../../src/domain/api-key.ts';
import { PRESET_IDS, presetOf } from '../../src/domain/provider-presets.ts';
import { faultsOfCommand } from '../support/documented-command.ts';
import { rulesIn } from '../support/documented-rules.ts';
import { parseValue, SOUND, type Value } from '../support/sound-config.ts';

const root = join(import.meta.dirname, '../..');
const documents = globSync(['README.md', 'SECURITY.md', 'docs/{how-to,tutorial,explanation}/**/*.md'], {
  cwd: root,
});
for (const file of documents) {
  const text = readFileSync(join(root, file), 'utf8');

  for (const [index, block] of yamlBlocks(text).entries())
    test(`${file}: configuration ${index + 1} is sound`, () => {
      const value = parse(block) as Value;
      if (isMapping(value) && 'access' in value) return void rulesIn(block);
      if (isMapping(value) && 'providers' in value) {
        const env = { CORP_CLIENT_SECRET: 'a secret' };
        return void assert.ok('state' in parseState(block, { ...STATE_FILE, env }));
      }
      const parsed =
        isMapping(value) && 'shares' in value
          ? parseAgentConfig(block, { file: '/etc/doorward/agent.yaml', readFile: () => Buffer.from(KEY) })
          : parseValue(laidOver(SOUND, value), FILES);
      assert.deepEqual('faults' in parsed ? parsed.faults : [], []);
    });

  test(`${file}: each command exists, with its options`, () => {
    assert.deepEqual(commandsIn(text).flatMap(faultsOfCommand), []);
  });
}

test('documents: a command, an option or a key that is not there is told', () => {
  assert.equal(commandsIn('Run `doorward share creat x`.').flatMap(faultsOfCommand).length, 1);
  assert.equal(commandsIn('```sh\ndoorward serve --confg x\n```').flatMap(faultsOfCommand).length, 1);
  assert.deepEqual(commandsIn('```\ndoorward share list --json\n```').flatMap(faultsOfCommand), []);
  assert.ok('faults' in parseValue(laidOver(SOUND, { oauth: { nonsense: 1 } }), FILES));
  assert.throws(() => rulesIn('access:\n  - allow: { provider: [corp] }\n'), /no condition "provider"/);
});

test('bench/README.md says what each part of the bench measures, and names no other', () => {
  const text = readFileSync(join(root, 'bench/README.md'), 'utf8');
  const [, section = ''] = text.split('## What each part measures\n');
  const told = Array.from(
    section.split('\n## ')[0]?.matchAll(/^\| `([\w-]+)` \|/gm) ?? [],
    ([, part]) => part,
  );
  assert.deepEqual(told, [...PARTS]);
});

test('docs/how-to/openid-connect.md has the issuer, the steps and the command of every preset', () => {
  const guide = readFileSync(join(root, 'docs/how-to/openid-connect.md'), 'utf8').replaceAll(/\s+/g, ' ');
  assert.equal(PRESET_IDS.length, 6);
  for (const id of PRESET_IDS) {
    const { title, issuer, register, claims } = presetOf(id);
    assert.ok(guide.includes(`| ${title} | \`${id}\` | \`${issuer}\` |`), id);
    for (const text of [...register, ...claims])
      assert.ok(guide.includes(text.replace('{redirectUrl}', '`<endpoint_url>/<name>/auth/callback`')), text);
  }
});

const STATE_FILE = { file: '/etc/doorward/state.yaml', readFile: () => Buffer.from('a secret') };

/** ```yaml blocks, indented ones too. */
function yamlBlocks(text: string): readonly string[] {
  return [...text.matchAll(/^( *)```yaml\n([^]*?)^ *```/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Mappings member by member; lists and all else in the place of what was there. */
function laidOver(under: Value, over: Value): Value {
  if (!isMapping(under) || !isMapping(over)) return over;
  const members = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = members[key];
    members[key] = below === undefined ? value : laidOver(below, value);
  }
  // Given as a file, it is not given as itself.
  for (const key of Object.keys(over))
    if (key.endsWith('_file')) delete members[key.slice(0, -'_file'.length)];
  return members;
}

function isMapping(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `doorward …` at the head of a line of a code block, or all of a piece of inline code. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh)?\n([^]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', ' ').split('\n'),
  );
  const inline = [...text.replaceAll(/^ *```[^]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
  return [...blocks, ...inline].filter((line) => /^doorward( |$)/.test(line));
}

/** Whatever file a document names holds something sound. */
const FILES: Readonly<Record<string, string>> = new Proxy(
  {},
  {
    get: (_files, path) => {
      if (String(path).endsWith('postgres.url')) return POSTGRES;
      return String(path).endsWith('-client.pem') ? CLIENT_KEY : 'a-secret-of-thirty-two-characters';
    },
  },
);
const CLIENT_KEY = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const KEY = newApiKey().reveal();
const POSTGRES = 'postgres://doorward:secret@db.example.com:5432/doorward';
