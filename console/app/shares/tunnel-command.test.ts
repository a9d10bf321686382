// The commands that the console prints, read by a shell and then by the real program (DESIGN 2.4).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { createProgram } from '../../../src/cli/program.ts';
import { newShareSettings } from '../../../src/cli/shares/options.ts';
import type { PublicOptions } from '../../../src/cli/shares/sharing/share-until-stopped.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { parseLocalTarget } from '../../../src/tunnel/local-target.ts';
import { draftChanges, NEW_DRAFT, type SettingsDraft } from './settings-draft.ts';
import { isLocalTarget, loginCommand, publicCommand } from './tunnel-command.ts';

type Read = { readonly target: string; readonly options: PublicOptions };

/** What the program understands of a command line. */
async function readByProgram(command: string): Promise<Read> {
  const words = wordsOf(command);
  assert.equal(words.shift(), 'doorward');
  const program = createProgram(
    { out: assert.fail, err: assert.fail, env: {}, readSecret: async () => new Secret('') },
    () => undefined,
  );
  const share = program.commands.find((each) => each.name() === 'share');
  const found = share?.commands.find((each) => each.name() === 'public');
  const { promise, resolve } = Promise.withResolvers<Read>();
  found?.action((target: string, options: PublicOptions) => resolve({ target, options }));
  await program.parseAsync(words, { from: 'user' });
  return promise;
}

function wordsOf(command: string): string[] {
  const script = `set -- ${command}\nfor word in "$@"; do printf '%s\\0' "$word"; done`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

const DRAFTS: Readonly<Record<string, SettingsDraft>> = {
  'without a login': { ...NEW_DRAFT, open: true },
  'with a login': { ...NEW_DRAFT, oauthProvider: 'google' },
  'with patterns and an interval': {
    ...NEW_DRAFT,
    oauthProvider: 'google',
    oauthEmailAddressPatterns:
      "*@example.com\no'neil@*.example\n-x@example.com\n$(reboot)@`id`.example\n{a,b}@example.com;ls",
    oauthCheckInterval: '30m',
  },
  'with a certificate': {
    ...NEW_DRAFT,
    clientCertificate: { required: true, subject: 'build-*.ci', unit: "R & D's" },
  },
  'with either': {
    ...NEW_DRAFT,
    oauthProvider: 'corp',
    clientCertificate: { required: true, subject: '', unit: '' },
    access: 'either',
  },
};

for (const [what, draft] of Object.entries(DRAFTS))
  test(`publicCommand() ${what} is what "doorward share public" takes`, async () => {
    const command = publicCommand({ target: '3000', name: 'demo', draft });
    const { target, options } = await readByProgram(command);
    assert.deepEqual([target, options.name], ['3000', 'demo']);
    const { oauthProvider, oauthEmailAddressPatterns, oauthCheckInterval, clientCertificate, access, open } =
      draftChanges(draft, 'Who gets in');
    const settings = newShareSettings(options);
    assert.deepEqual(
      {
        oauthProvider: settings.oauthProvider ?? null,
        oauthEmailAddressPatterns: settings.oauthEmailAddressPatterns ?? [],
        oauthCheckInterval: settings.oauthCheckInterval ?? null,
        clientCertificate:
          settings.clientCertificate === undefined
            ? null
            : { subject: null, unit: null, ...settings.clientCertificate },
        access: settings.access ?? 'all',
        open: settings.open,
      },
      { oauthProvider, oauthEmailAddressPatterns, oauthCheckInterval, clientCertificate, access, open },
    );
  });

test('publicCommand() without a name asks for an address that goes with the command', async () => {
  const { target, options } = await readByProgram(
    publicCommand({ target: 'unix:/run/my app.sock', name: ' ', draft: NEW_DRAFT }),
  );
  assert.deepEqual([target, options.name], ['unix:/run/my app.sock', undefined]);
});

test('isLocalTarget() takes what the agent takes, and nothing else', () => {
  const targets = [
    '3000',
    '0',
    '65536',
    '-1',
    'http://localhost:3000',
    'https://10.0.0.5:8443/',
    'unix:/run/a',
  ];
  for (const target of [...targets, 'http://a/path', 'ftp://a', 'http://u:p@a', 'localhost', 'unix:', ''])
    assert.equal(isLocalTarget(target), isTaken(target), target);
});

test('loginCommand() sends a key in the clear only where it says so', () => {
  assert.equal(loginOf('https://control.example.com/x'), 'doorward login --url https://control.example.com');
  assert.equal(loginOf('http://127.0.0.1:8282'), 'doorward login --url http://127.0.0.1:8282');
  assert.match(loginOf('http://10.0.0.5:8282'), / --allow-plain-http$/);
});

function isTaken(target: string): boolean {
  try {
    parseLocalTarget(target);
    return true;
  } catch {
    return false;
  }
}

function loginOf(url: string): string {
  return loginCommand(new URL(url));
}
