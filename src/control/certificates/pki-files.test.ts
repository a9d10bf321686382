import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { addToken, testPki } from '../../../test/support/pki.ts';
import { addAccount, openTestStore } from '../../../test/support/store.ts';
import { OpenAPIHono } from '@hono/zod-openapi';
import { addShare } from '../../store/suite/bench.test-support.ts';
import { authoritiesOf } from '../../pki/authority.ts';
import { redeem } from '../../pki/redeem.ts';
import { createRevocationLists } from '../../pki/revocation-list.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { addPkiFiles } from './pki-files.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);

test('a revocation list that somebody has costs no look at what is revoked, and builds no body (RFC 9110 13.1.2)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const [ca] = await authoritiesOf(pki.deps, accountId);
  assert.ok(ca);
  const work = { counts: 0, pages: 0, lists: 0, bodies: 0 };
  const { certificates, revocationLists } = store;
  const counting = {
    ...store,
    certificates: {
      ...certificates,
      revocationState: (...of: Parameters<typeof certificates.revocationState>) => {
        work.counts++;
        return certificates.revocationState(...of);
      },
      revokedBy: (...of: Parameters<typeof certificates.revokedBy>) => {
        work.pages++;
        return certificates.revokedBy(...of);
      },
    },
    revocationLists: {
      ...revocationLists,
      newest: (...of: Parameters<typeof revocationLists.newest>) => {
        work.lists++;
        return revocationLists.newest(...of);
      },
    },
  };
  const listOf = createRevocationLists({ ...pki.deps, store: counting });
  const api = new OpenAPIHono<ControlEnv>();
  addPkiFiles(api, { ...pki.deps, store } as unknown as ControlDeps, async (of) => {
    const list = await listOf(of);
    return {
      ...list,
      get der() {
        work.bodies++;
        return list.der;
      },
    };
  });
  for (const file of ['crl.der', 'crl.pem', `${ca.id}.crl`]) {
    const url = `/pki/${accountId}/${file}`;
    const first = await api.request(url);
    const etag = first.headers.get('etag') ?? '';
    assert.equal(first.status, 200);
    const before = { ...work };
    for (let times = 0; times < 20; times++)
      assert.equal((await api.request(url, { headers: { 'if-none-match': etag } })).status, 304);
    assert.deepEqual(work, before, file);
    // Nor where others change whatever they like meanwhile, certificates of theirs among it.
    const other = await redeem(pki.deps, { token: await addToken(pki, await addAccount(store)), csr });
    const { accountId: theirs, id } = other.certificate;
    const ended = { accountId: theirs, chosen: { id }, reason: 'unspecified', by: 'operator' } as const;
    for (const change of [
      () => addShare(store),
      () => store.certificates.revoke({ ...ended, at: pki.clock.time }),
    ]) {
      await change();
      assert.equal((await api.request(url, { headers: { 'if-none-match': etag } })).status, 304);
      assert.deepEqual(work, before, file);
    }
  }
  // What is revoked is on the list at once all the same.
  const token = await addToken(pki, accountId);
  const { certificate } = await redeem(pki.deps, { token, csr });
  const of = { accountId, chosen: { id: certificate.id }, reason: 'unspecified', by: 'operator' } as const;
  const before = (await listOf(ca)).number;
  await store.certificates.revoke({ ...of, at: pki.clock.time });
  assert.ok((await listOf(ca)).number > before);
});
