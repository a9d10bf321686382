// Shares that ask for client certificates, by the API (DESIGN 2.5, "Mutual TLS").

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ShareId } from '../../domain/id.ts';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { openUnlessProtected } from '../../../test/support/open-unless-protected.ts';

const TARGET = 'http://127.0.0.1:3000';
let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

function create(json: object, at = control) {
  return at.call({ path: '/v1/shares', json: openUnlessProtected({ target: TARGET, ...json }) });
}

function modify(name: string, json: object, at = control) {
  return at.call({ path: `/v1/shares/${name}`, method: 'PATCH', json });
}

test('clientCertificate asks for one, and for a name and a unit; a change leaves out what stays (DESIGN 2.5)', async () => {
  const clientCertificate = { required: true, subject: 'build-*', unit: 'CI' };
  const { status, document } = await create({ name: 'strict', clientCertificate });
  assert.equal(status, 201);
  assert.deepEqual([document['clientCertificate'], document['access']], [clientCertificate, 'all']);
  const routed = control.feed.find(document['id'] as ShareId);
  assert.deepEqual([routed?.clientCertificate, routed?.access], [{ subject: 'build-*', unit: 'CI' }, 'all']);
  // Made with the first share that needs it, so that there is somebody to issue.
  assert.equal((await control.store.cas.list(control.alice.id, Date.now())).length, 1);
  const changes: readonly (readonly [change: object | null, after: object | null])[] = [
    [{ subject: null }, { required: true, subject: null, unit: 'CI' }],
    [
      { required: true, subject: 'a?' },
      { required: true, subject: 'a?', unit: 'CI' },
    ],
    [{ required: false }, null],
    [{ required: true }, { required: true, subject: null, unit: null }],
    [null, null],
  ];
  for (const [change, expected] of changes) {
    const open = expected === null ? { open: true } : {};
    const changed = await modify('strict', { clientCertificate: change, ...open });
    assert.deepEqual(changed.document['clientCertificate'], expected, JSON.stringify(change));
  }
  const stays = await modify('strict', { enabled: false });
  assert.equal(stays.document['clientCertificate'], null);
});

test('access "either" needs both ways in, and goes with one of them (DESIGN 2.5)', async () => {
  const either = { access: 'either' };
  const certificate = { clientCertificate: { required: true } };
  const login = { oauthProvider: 'test' };
  for (const [name, settings] of Object.entries({ open: {}, login, certificate })) {
    const answer = await create({ name: `no-${name}`, ...settings, ...either });
    assert.equal(answer.document['code'], 'validation_failed', name);
    assert.match(JSON.stringify(answer.document), /needs an oauthProvider and a clientCertificate/);
  }
  const made = await create({ name: 'either', ...login, ...certificate, ...either });
  assert.equal(made.document['access'], 'either');
  // One way in is left: it is needed.
  const left = await modify('either', { oauthProvider: null });
  assert.equal(left.document['access'], 'all');
  assert.equal((await modify('either', login)).document['access'], 'all');
});

test('globs that mean nothing are refused, each by its name (DESIGN 2.5)', async () => {
  for (const [path, clientCertificate] of [
    ['clientCertificate.subject', { required: true, subject: 'a\\' }],
    ['clientCertificate.unit', { required: true, unit: '' }],
    ['clientCertificate.subject', { subject: 'a' }],
    ['clientCertificate.unit', { required: false, unit: 'a' }],
  ] as const) {
    const { document } = await create({ name: 'globs', clientCertificate });
    assert.equal(document['code'], 'validation_failed');
    assert.ok(JSON.stringify(document).includes(`"${path}"`), path);
  }
});

test('where TLS does not end at the gateway nobody can ask for certificates: 422 needs_tls (DESIGN "Mutual TLS")', async () => {
  await using plain = await startControl({ gatewayTls: false });
  const asks = { clientCertificate: { required: true } };
  const refused = await create({ name: 'strict', ...asks }, plain);
  assert.deepEqual([refused.status, refused.document['code']], [422, 'needs_tls']);
  assert.equal((await create({ name: 'strict', clientCertificate: null }, plain)).status, 201);
  assert.equal((await modify('strict', asks, plain)).document['code'], 'needs_tls');
  assert.equal((await modify('strict', { clientCertificate: null, enabled: false }, plain)).status, 200);
});

test('behind a proxy certificates are asked for only where it may pass them on: else 422 needs_tls (DESIGN "Forward-auth")', async () => {
  const asks = { clientCertificate: { required: true } };
  for (const forwardedCertificates of [false, true]) {
    await using plain = await startControl({ gatewayTls: false, forwardedCertificates });
    const made = await plain.call({ path: '/v1/shares', json: { name: 'behind', behind: true, ...asks } });
    assert.equal(made.status, forwardedCertificates ? 201 : 422);
    if (!forwardedCertificates) assert.equal(made.document['code'], 'needs_tls');
    else {
      const target = 'http://127.0.0.1:3000';
      const direct = await plain.call({
        path: '/v1/shares/behind',
        method: 'PATCH',
        json: { behind: false, target },
      });
      assert.equal(direct.document['code'], 'needs_tls');
    }
  }
});
