// Terminal escapes: whoever visits a share writes a part of the lines that its owner reads. Nothing in
// method, path or address may steer the owner's terminal: move the cursor, recolour, set the title, turn the
// direction, forge a line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { createJsonView } from '../../src/cli/shares/sharing/json-view.ts';
import { createPersonView } from '../../src/cli/shares/sharing/person-view.ts';
import { watchedLine } from '../../src/cli/shares/sharing/request-line.ts';
import { Secret } from '../../src/domain/secret.ts';
import { ServiceError } from '../../src/domain/service-error.ts';

const HOSTILE = [
  '\x1b[2J\x1b[H',
  '\x1b]0;title\x07',
  '\x9b31m',
  '\r09:00:00  GET     /forged  200',
  '\n09:00:00  GET     /forged  200',
  '\u2028forged',
  '\u202egnp.exe',
  '\u200b',
  '\x7f\b\b\b',
];

for (const hostile of HOSTILE)
  test(`a watched request writes ${JSON.stringify(hostile)} out`, () => {
    const line = watchedLine(
      {
        at: '2026-01-02T03:04:05.006Z',
        method: `G${hostile}`,
        path: `/${hostile}`,
        status: 200,
        authorized: false,
        ms: 1,
        who: `${hostile}@example.com`,
        reason: `r${hostile}`,
        aborted: false,
        address: hostile,
        requestId: hostile,
      },
      false,
    );
    assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    assert.match(line, /^\d\d:\d\d:\d\d {2}G.*\n$/);
  });

const views = { person: createPersonView, json: createJsonView };

for (const [name, createView] of Object.entries(views))
  for (const hostile of HOSTILE)
    test(`the ${name}’s view of a share writes ${JSON.stringify(hostile)} out`, () => {
      let said = '';
      const say = (text: string) => (said += text);
      const terminal = { out: say, err: say, env: {}, readSecret: async () => new Secret('') };
      const view = createView(terminal, { quiet: false, qr: false, now: Date.now });
      view.ready(shareOf(hostile), { text: `unix:${hostile}`, listening: false });
      view.request?.({
        at: Date.now(),
        method: `G${hostile}`,
        path: `/${hostile}`,
        status: 200,
        durationMs: 1,
        email: `${hostile}@example.com`,
        fault: null,
      });
      view.link({ kind: 'retrying', fault: new ServiceError('gateway_unreachable', `Cannot: ${hostile}`) });
      for (const line of said.split('\n')) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(line, /^09:00:00/);
      }
      assert.ok(said.includes('/'));
    });

function shareOf(hostile: string): ShareObject {
  return {
    id: 'shr_1',
    name: `n${hostile}`,
    url: 'http://demo.share.localhost:8080',
    target: null,
    tunnel: 'reserved',
    hosts: [],
    oauthProvider: `p${hostile}`,
    oauthEmailAddressPatterns: [`*@${hostile}`],
    oauthCheckInterval: '3h',
    clientCertificate: { required: true, subject: `s${hostile}`, unit: `u${hostile}` },
    open: false,
    access: 'all',
    allowOrigins: [`https://${hostile}`],
    allowGroups: [],
    allowPaths: [],
    allowAddresses: [],
    accessRequests: false,
    behind: false,
    denyEmails: [],
    rules: [],
    identity: [],
    hostHeader: null,
    owner: hostile,
    description: hostile,
    icon: hostile,
    listed: true,
    enabled: true,
    agentSeenAt: null,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  };
}
