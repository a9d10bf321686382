// Completion as a shell brings it about: the script in a real bash, names from a real control API, silence
// otherwise.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import packageFile from '../../../package.json' with { type: 'json' };
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { compiled } from '../../../test/support/front-door.ts';
import { createTestAuthority } from '../../../test/support/certificates.ts';
import { Secret } from '../../domain/secret.ts';
import { main } from '../main.ts';

let control: TestControl;
let home = '';
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'doorward-home-'));
  control = await startControl();
  for (const name of ['demo', 'demo-two', 'other'])
    await control.call({ path: '/v1/shares', json: { name, target: 'http://127.0.0.1:3000', open: true } });
  for (const email of ['ann@example.com', 'bob@example.com', '$(reboot)@example.com'])
    await control.call({ path: '/v1/members', json: { email } });
  await control.call({ path: '/v1/api-keys', json: { name: 'deploy' } });
  await control.call({ path: '/v1/webhooks', json: { url: 'https://127.0.0.1/hook' } });
  await control.call({
    path: '/v1/auth-providers',
    json: {
      name: 'partner',
      type: 'OIDC',
      config: {
        clientId: 'c',
        clientSecret: 's',
        issuerUrl: 'https://127.0.0.1/',
        scopes: ['openid', 'email'],
      },
    },
  });
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** The candidates' values, and what was said of faults. */
async function complete(words: readonly string[], env: Readonly<Record<string, string>> = credentials()) {
  let out = '';
  let err = '';
  const code = await main(['complete', '--', ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { HOME: '/nonexistent', ...env },
    readSecret: async () => new Secret(''),
  });
  assert.deepEqual([code, err], [0, '']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

function credentials() {
  return {
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
    // However busy the machine is.
    DOORWARD_COMPLETION_LIMIT: '1m',
  };
}

test('complete gives subcommands, options and choices by the tree of commands (DESIGN 2.4)', async () => {
  assert.deepEqual(await complete(['prov']), ['provider']);
  assert.ok((await complete([''])).includes('status'));
  assert.ok(!(await complete(['comp'])).includes('complete'), 'what shells call is in no help');
  assert.deepEqual(await complete(['share', 'mod']), ['modify']);
  assert.deepEqual(await complete(['share', 'create', 'x', '--oauth-c']), ['--oauth-check-interval']);
  assert.deepEqual(await complete(['completion', '']), ['bash', 'zsh', 'fish']);
  assert.deepEqual(await complete(['api-key', 'create', 'x', '--role', 'a']), ['auditor', 'admin']);
  assert.deepEqual(await complete(['api-key', 'create', 'x', '--role=ad']), ['--role=admin']);
});

test('complete gives files where a file is wanted, and nothing where anything may stand', async () => {
  assert.deepEqual(await complete(['serve', '--config', '/etc/do']), [':files']);
  assert.deepEqual(await complete(['provider', 'create', '--file', '']), [':files']);
  for (const words of [
    ['share', 'create', ''],
    ['share', 'create', 'x', '--target', ''],
    ['nonsense', ''],
  ])
    assert.deepEqual(await complete(words), []);
});

test('complete gives the live names of the account, and of no other (THREATS "Tenancy")', async () => {
  assert.deepEqual(await complete(['share', 'show', 'd']), ['demo', 'demo-two']);
  assert.deepEqual(await complete(['share', 'delete', '']), ['demo', 'demo-two', 'other']);
  assert.deepEqual(await complete(['provider', 'test', '']), ['partner']);
  assert.deepEqual(await complete(['share', 'modify', 'demo', '--oauth-provider', 'p']), ['partner']);
  assert.deepEqual(await complete(['share', 'modify', 'demo', '--oauth-provider=p']), [
    '--oauth-provider=partner',
  ]);
  assert.deepEqual(await complete(['session', 'list', '--share', 'o']), ['other']);
  assert.deepEqual(await complete(['api-key', 'delete', 'de']), ['deploy']);
  assert.match(String(await complete(['webhook', 'test', ''])), /^whk_\w+$/);
  assert.match(String(await complete(['webhook', 'deliveries', ''])), /^whk_\w+$/);
  assert.deepEqual(await complete(['webhook', 'redeliver', '']), await complete(['share', 'create', '']));
  // One argument is enough.
  assert.deepEqual(await complete(['share', 'show', 'demo', '']), []);
  const mallory = { ...credentials(), DOORWARD_API_KEY: control.mallory.apiKey.reveal() };
  assert.deepEqual(await complete(['share', 'show', ''], mallory), []);
});

test('complete puts nothing on the command line that means something to a shell', async () => {
  assert.deepEqual((await complete(['member', 'delete', ''])).toSorted(), [
    'alice@example.com',
    'ann@example.com',
    'bob@example.com',
  ]);
});

test('complete is silent when nobody is logged in, the key is wrong, or nobody answers', async () => {
  const words = ['share', 'show', ''];
  assert.deepEqual(await complete(words, {}), []);
  assert.deepEqual(await complete(words, { ...credentials(), DOORWARD_API_KEY: `dw_${'a'.repeat(43)}` }), []);
  assert.deepEqual(await complete(words, { ...credentials(), DOORWARD_URL: 'http://127.0.0.1:1' }), []);
  assert.deepEqual(await complete(words, { ...credentials(), DOORWARD_URL: 'nonsense' }), []);
  const silent = createServer(() => undefined);
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  // It ends by itself, long before a command would.
  const env = {
    ...credentials(),
    DOORWARD_URL: `http://127.0.0.1:${port}`,
    DOORWARD_COMPLETION_LIMIT: '1s',
  };
  assert.deepEqual(await complete(words, env), []);
  silent.close();
});

const LINES = [
  'doorward share show dem',
  'doorward session list --share=ot',
  'doorward member delete ann@ex',
  'doorward serve --config package.js',
  'doorward   share   show   o',
];

function isHere(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

test('the script for bash completes in a real bash (DESIGN 2.4)', async () => {
  const { out, err, code } = await bash(LINES);
  assert.deepEqual([err, code], ['', 0]);
  // What readline is given: what stands behind the last character at which it breaks words.
  assert.deepEqual(out.split('\n').slice(0, -1), ['demo demo-two', 'other', 'example.com', '', 'other']);
});

test(
  'the script for fish completes in a real fish (DESIGN 2.4)',
  { skip: !isHere('fish') && 'fish is not installed' },
  async () => {
    const { out, err, code } = await fish(LINES);
    assert.deepEqual([err, code], ['', 0]);
    assert.deepEqual(out.split('\n').slice(0, -1), [
      'demo demo-two',
      '--share=other',
      'ann@example.com',
      'package.json',
      'other',
    ]);
  },
);

test(
  'the script for zsh completes in a real zsh (DESIGN 2.4)',
  { skip: !isHere('zsh') && 'zsh is not installed' },
  async () => {
    const { out, err, code } = await zsh(LINES);
    assert.deepEqual([err, code], ['', 0]);
    assert.deepEqual(out.split('\n').slice(0, -1), [
      'demo:https://demo.share.example.com demo-two:https://demo-two.share.example.com',
      '--share=other:https://other.share.example.com',
      'ann@example.com:member',
      'files',
      'other:https://other.share.example.com',
    ]);
  },
);

/** Presses Tab at the end of each line, as bash does it, and prints what readline would get, a line each. */
async function bash(lines: readonly string[]) {
  const script = `
doorward() { "$NODE" "$PROGRAM" "$@"; }
source <(doorward completion bash)
COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
while IFS= read -r COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}
  COMPREPLY=()
  _doorward doorward
  echo "\${COMPREPLY[*]}"
done
`;
  return runShell('bash', ['--norc', '--noprofile', '-c', script], lines);
}

/** Asks fish itself what it would offer at the end of each line. */
async function fish(lines: readonly string[]) {
  const script = `
function doorward; "$NODE" "$PROGRAM" $argv; end
doorward completion fish | source
while read -l line
  string join ' ' -- (complete -C "$line" | string replace -r '\\t.*' '')
end
true
`;
  return runShell('fish', ['--no-config', '-c', script], lines);
}

/**
 * Calls the script's function as zsh's completion does, with what stands in for the part of it that asks a
 * terminal.
 */
async function zsh(lines: readonly string[]) {
  const script = `
doorward() { "$NODE" "$PROGRAM" "$@" }
compdef() { handler=$1 }
_describe() { print -r -- "\${(@P)2}" }
_files() { print files }
source <(doorward completion zsh)
while IFS= read -r line; do
  words=(\${(z)line}) CURRENT=\${#words}
  $handler
done
`;
  return runShell('zsh', ['-f', '-c', script], lines);
}

async function runShell(shell: string, parameters: readonly string[], lines: readonly string[]) {
  const root = join(import.meta.dirname, '../../..');
  const child = spawn(shell, parameters, {
    cwd: root,
    env: {
      ...compiled(),
      PATH: process.env['PATH'],
      // Fish makes folders in it.
      HOME: home,
      // Fish says so when it is run for a terminal that it does not know.
      TERM: 'dumb',
      NODE: process.execPath,
      PROGRAM: join(root, packageFile.bin.doorward),
      ...credentials(),
    },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(`${lines.join('\n')}\n`);
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

test('names are asked for with a client certificate where one is given (DESIGN 2.4)', async (t) => {
  const authority = createTestAuthority();
  t.after(authority.dispose);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, authority.ca]);
  t.after(() => setDefaultCACertificates(trusted));
  const { certificate, key } = authority.issue(['localhost']);
  const tls = { cert: certificate, key, requestCert: true, rejectUnauthorized: false };
  const server = createSecureServer(tls, (request, response) => {
    const shown = (request.socket as TLSSocket).getPeerX509Certificate() !== undefined;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: shown ? [{ name: 'shown', url: 'https://shown.test' }] : [] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const file = join(home, 'ann.cert.pem');
  await writeFile(file, certificate);
  await writeFile(join(home, 'ann.key.pem'), key);
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const words = ['share', 'show', '--url', url];
  assert.deepEqual(await complete([...words, '--cert', file, ''], {}), ['shown']);
  const named = { DOORWARD_CLIENT_CERTIFICATE: file, DOORWARD_CLIENT_KEY: join(home, 'ann.key.pem') };
  assert.deepEqual(await complete([...words, ''], named), ['shown']);
});
