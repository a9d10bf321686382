import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClientAuthority } from '../../../test/support/client-authority.ts';
import { addAccount, openTestStore, type TestStore } from '../../../test/support/store.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { addToken, testPki, type TestPki } from '../../../test/support/pki.ts';
import type { AccountId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import { redeem } from '../../pki/redeem.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import { certificateCaller, heldCertificate, rightsNow } from './holder.ts';

const DAY_MS = 86_400_000;
const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);

describe('heldCertificate() (DESIGN "Mutual TLS")', () => {
  let store: TestStore;
  let pki: TestPki;
  let accountId: AccountId;
  let noted: Promise<void> = Promise.resolve();
  before(async () => {
    store = await openTestStore();
    pki = testPki(store);
    accountId = await addAccount(store);
  });
  after(() => store.dispose());

  const issue = async (): Promise<KeptCertificate> => {
    const token = await addToken(pki, accountId, { apiRole: 'admin' });
    return (await redeem(pki.deps, { token, csr })).certificate;
  };
  const ask = (certificate: KeptCertificate | null, over: Partial<KeptCertificate> = {}, at?: number) => {
    const { caId: authorityId, fingerprint } = { ...certificate, ...over };
    const held =
      certificate === null ? null : { authorityId: authorityId ?? null, fingerprint: fingerprint ?? '' };
    const env = { address: '192.0.2.1', requestId: 'req_1', certificate: held };
    const seen: TestStore['certificates']['seen'] = (uses) => (noted = store.certificates.seen(uses));
    const watched = { ...store, certificates: { ...store.certificates, seen } };
    return heldCertificate({ store: watched, now: () => at ?? pki.clock.time, log: SILENT }, env);
  };

  test('finds the certificate, and notes its use', async () => {
    const certificate = await issue();
    assert.equal((await ask(certificate)).id, certificate.id);
    // Nobody else waits for it.
    await noted;
    const { lastUsedOn, lastUsedFrom } = (await store.certificates.find(accountId, certificate.id)) ?? {};
    assert.deepEqual([lastUsedOn, lastUsedFrom], ['control', '192.0.2.1']);
  });

  test('refuses none, one of another authority, one that the store does not know', async () => {
    const certificate = await issue();
    await assert.rejects(ask(null), { code: 'certificate_required' });
    await assert.rejects(ask(certificate, { caId: newId('aca') }), { code: 'certificate_foreign' });
    await assert.rejects(ask(certificate, { fingerprint: '0'.repeat(64) }), { code: 'certificate_foreign' });
  });

  test('refuses before and after its time, to the second', async () => {
    const certificate = await issue();
    const { notBefore, notAfter } = certificate;
    await assert.rejects(ask(certificate, {}, notBefore - 1), { code: 'certificate_not_yet_valid' });
    assert.ok(await ask(certificate, {}, notBefore));
    assert.ok(await ask(certificate, {}, notAfter - 1));
    await assert.rejects(ask(certificate, {}, notAfter), { code: 'certificate_expired' });
    await assert.rejects(ask(certificate, {}, Number.NaN), { code: /certificate_/ });
  });

  test('refuses what is revoked, and what is not for clients', async () => {
    const certificate = await issue();
    const unfit = createClientAuthority(accountId).leaf({ usage: 'serverAuth' });
    const der = Buffer.from(unfit.certificate.replaceAll(/-----[^-]+-----|\n/g, ''), 'base64');
    const fingerprint = unfit.fingerprint;
    const token = { ...certificate, id: newId('cer'), serial: unfit.serial, der, fingerprint };
    await store.certificates.renew({ ...token, renewedFrom: certificate.id, keyHash: 'x' }, 0);
    await assert.rejects(ask(certificate, { fingerprint }), { code: 'certificate_unfit' });
    const of = { accountId, reason: 'unspecified', by: 'operator', at: pki.clock.time } as const;
    await store.certificates.revoke({ ...of, chosen: { id: certificate.id } });
    await assert.rejects(ask(certificate), { code: 'certificate_revoked' });
  });

  test('refuses those of a suspended account', async () => {
    const certificate = await issue();
    await store.accounts.suspend(accountId, true);
    await assert.rejects(ask(certificate), { code: 'certificate_foreign' });
    await store.accounts.suspend(accountId, false);
    assert.ok(await ask(certificate));
  });
});

/** No key here came from a login. */
const none = () => undefined;

describe('rightsNow(): never above its maker (DESIGN "Mutual TLS")', () => {
  let store: TestStore;
  let accountId: AccountId;
  before(async () => {
    store = await openTestStore();
    accountId = await addAccount(store);
  });
  after(() => store.dispose());

  const role = (apiRole: KeptCertificate['apiRole'], allowedBy: string, at = 0) =>
    rightsNow({ store, now: () => at, findProvider: none }, { accountId, apiRole, allowedBy }).then(
      (rights) => rights?.role ?? null,
    );
  const addMember = async (address: string) => {
    const id = newId('mem');
    const member = { id, accountId, email: address, role: 'admin', createdAt: 0, by: 'operator' } as const;
    await store.members.invite(member, { id: newId('inv'), hash: id, createdAt: 0, expiresAt: DAY_MS });
    return id;
  };

  test('a member that is lowered lowers it, one that is deleted ends it', async () => {
    const id = await addMember('ann@corp.example');
    const allowedBy = `member:${id}`;
    assert.deepEqual(
      [await role('admin', allowedBy), await role('member', allowedBy), await role(null, allowedBy)],
      ['admin', 'member', null],
    );
    await store.members.changeRole(accountId, id, 'member');
    assert.equal(await role('admin', allowedBy), 'member');
    await store.members.remove(accountId, id);
    assert.equal(await role('admin', allowedBy), null);
  });

  test('an API key lowers it with its member, and ends it when it is over or gone', async () => {
    const memberId = await addMember('bob@corp.example');
    const id = newId('key');
    const key = {
      id,
      accountId,
      name: 'maker',
      hash: 'h',
      createdAt: 0,
      role: 'admin',
      scope: 'full',
    } as const;
    await store.apiKeys.create({ ...key, expiresAt: 100, memberId, createdBy: 'operator' }, null);
    const allowedBy = `api-key:${id}`;
    assert.deepEqual(
      [await role('admin', allowedBy, 99), await role('admin', allowedBy, 100)],
      ['admin', null],
    );
    await store.members.changeRole(accountId, memberId, 'member');
    assert.equal(await role('admin', allowedBy), 'member');
    await store.apiKeys.remove(accountId, id);
    assert.equal(await role('admin', allowedBy), null);
  });

  test('nobody else gives a role, and another account’s member gives none', async () => {
    const id = await addMember('carol@corp.example');
    for (const allowedBy of ['operator', '', 'certificate:cer_1', 'member:', 'api-key:first', `key:${id}`])
      assert.equal(await role('admin', allowedBy), null, allowedBy);
    const stranger = await addAccount(store);
    const theirs = { accountId: stranger, apiRole: 'admin', allowedBy: `member:${id}` } as const;
    assert.equal(await rightsNow({ store, now: () => 0, findProvider: none }, theirs), null);
  });

  test('certificateCaller() is over with its certificate, and of whoever allowed it', async () => {
    const id = await addMember('dan@corp.example');
    const certificate = {
      id: newId('cer'),
      accountId,
      apiRole: 'admin',
      allowedBy: `member:${id}`,
      notAfter: 5,
    };
    const caller = await certificateCaller(
      { store, now: () => 0, findProvider: none },
      certificate as unknown as KeptCertificate,
      { address: '192.0.2.1', requestId: 'req_1' },
    );
    assert.deepEqual(
      [caller.keyExpiresAt, caller.actor, caller.role],
      [5, { kind: 'certificate', id: certificate.id }, 'admin'],
    );
  });
});

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
