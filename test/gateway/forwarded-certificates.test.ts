// Client certificates that a proxy passes on, for shares behind it (DESIGN "Forward-auth"): verified again,
// revoked within the next request, and believed only where the operator says that the proxy vouches.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { NO_TRUST } from '../../src/domain/certificate-trust.ts';
import { newId } from '../../src/domain/id.ts';
import type { Share } from '../../src/domain/share.ts';
import { type ClientPair, createClientAuthority } from '../support/client-authority.ts';
import {
  ask,
  CERTIFICATE_HEADERS,
  PAGE_LOAD,
  PROXIES,
  PROXY_SECRET,
  type ProxyName,
  through,
} from '../support/forward-auth.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import { revocationOf } from '../support/mutual-tls.ts';

const HOST = 'demo.share.localhost';
const SETTINGS = {
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

async function rig(
  t: TestContext,
  {
    clientCertificates = true,
    behind = true,
    ...more
  }: Partial<Share> & { clientCertificates?: boolean } = {},
) {
  const accountId = newId('acc');
  const authority = createClientAuthority(accountId);
  const foreign = createClientAuthority(newId('acc'));
  const share: Share = {
    ...testShare('demo', '', {
      accountId,
      behind,
      clientCertificate: { subject: 'build-*', unit: null },
      ...more,
    }),
    target: null,
  };
  const gate = await startTestGate({
    shares: [share],
    trust: { ...NO_TRUST, authorities: [authority.trusted, foreign.trusted] },
    settings: { ...SETTINGS, forwardAuth: { secret: PROXY_SECRET, clientCertificates } },
  });
  t.after(gate.close);
  return { gate, port: gate.port, share, authority, foreign };
}

const escaped = (pem: string) => encodeURIComponent(pem);
const der = (pem: string) => new X509Certificate(pem).raw;

/** As each proxy's documented configuration writes it. */
function written(proxy: ProxyName, { certificate }: Pick<ClientPair, 'certificate'>): string {
  if (proxy === 'nginx') return escaped(certificate);
  if (proxy === 'envoy')
    return `Hash=${'a'.repeat(64)};Subject="CN=build-1,O=x";URI=;Cert="${escaped(certificate)}"`;
  return der(certificate).toString('base64');
}

for (const proxy of PROXIES) {
  test(`${proxy}: a certificate of the account lets in and is told of (DESIGN "Forward-auth")`, async (t) => {
    const { port, authority, gate } = await rig(t);
    const pair = authority.leaf({ commonName: 'build-1' });
    const outcome = await through(proxy, { host: HOST, certificate: written(proxy, pair) }, { port });
    assert.ok(outcome.kind === 'in', JSON.stringify(outcome));
    assert.equal(outcome.identity['svc-auth-cert-serial'], pair.serial);
    assert.equal(outcome.identity['svc-auth-cert-fingerprint'], pair.fingerprint);
    assert.equal(outcome.identity['svc-auth-email'], '');
    gate.tell({
      type: 'trust',
      news: { ...NO_TRUST, reset: false, ...revocationOf(authority, pair) },
    });
    const after = await through(proxy, { host: HOST, certificate: written(proxy, pair) }, { port });
    assert.ok(after.kind === 'answered');
    assert.deepEqual([after.answer.status, codeOf(after.answer.body)], [403, 'certificate_revoked']);
  });

  test(`${proxy}: no other certificate does: foreign, expired, not for clients, of another name, none (DESIGN "Forward-auth")`, async (t) => {
    const { port, authority, foreign } = await rig(t);
    const hour = 3_600_000;
    for (const [pair, code] of [
      [foreign.leaf({ commonName: 'build-1' }), 'certificate_foreign'],
      [createClientAuthority(newId('acc')).leaf({ commonName: 'build-1' }), 'certificate_foreign'],
      [authority.below('build-x').leaf({ commonName: 'build-1' }), 'certificate_foreign'],
      [
        authority.leaf({
          commonName: 'build-1',
          notBefore: Date.now() - 2 * hour,
          notAfter: Date.now() - hour,
        }),
        'certificate_expired',
      ],
      [authority.leaf({ commonName: 'build-1', notBefore: Date.now() + hour }), 'certificate_not_yet_valid'],
      [authority.leaf({ commonName: 'build-1', usage: 'serverAuth' }), 'certificate_unfit'],
      [authority.leaf({ commonName: 'build-1', usage: 'none' }), 'certificate_unfit'],
      [authority.leaf({ commonName: 'deploy-1' }), 'certificate_refused'],
      [{ certificate: authority.certificate }, null],
      [null, 'certificate_required'],
    ] as const) {
      const shown = pair === null ? {} : { certificate: written(proxy, pair) };
      const outcome = await through(proxy, { host: HOST, ...shown }, { port });
      assert.ok(outcome.kind === 'answered', String(code));
      assert.equal(outcome.answer.status, 403, String(code));
      if (code !== null) assert.equal(codeOf(outcome.answer.body), code);
    }
    const empty = await through(proxy, { host: HOST, certificate: '' }, { port });
    assert.ok(empty.kind === 'answered');
    assert.equal(codeOf(empty.answer.body), 'certificate_required');
  });

  test(`${proxy}: what is no certificate, or two, is refused with 400 (DESIGN "Forward-auth")`, async (t) => {
    const { port, authority } = await rig(t);
    const pair = authority.leaf({ commonName: 'build-1' });
    const good = written(proxy, pair);
    const base64 = der(pair.certificate).toString('base64');
    for (const bad of [
      'x',
      good.slice(0, -8),
      `${good}${good}`,
      `${good},${good}`,
      `${good}AAAA`,
      ` ${good.slice(4)}`,
      pair.certificate.replaceAll('\n', ' '),
      Buffer.concat([der(pair.certificate), Buffer.from('more')]).toString('base64'),
      escaped(`${pair.certificate}${pair.certificate}`),
      escaped(`x${pair.certificate}`),
      `Cert="${escaped(pair.certificate)}",Cert="${escaped(pair.certificate)}"`,
      `Cert="${escaped(pair.certificate)}";Cert="${escaped(pair.certificate)}"`,
      `By=x;Hash=${pair.fingerprint}`,
      'A'.repeat(20_000),
      ...(proxy === 'envoy' || proxy === 'nginx' ? [base64] : [escaped(pair.certificate)]),
    ]) {
      const answer = await ask(proxy, { host: HOST, certificate: bad }, { port });
      assert.equal(answer.status, 400, bad.slice(0, 60));
      assert.equal(codeOf(answer.body), 'forward_auth_invalid');
    }
    const twice = await ask(
      proxy,
      { host: HOST },
      { port, more: { [CERTIFICATE_HEADERS[proxy]]: [good, good] } },
    );
    assert.equal(twice.status, 400);
  });

  test(`${proxy}: it counts nowhere else: where nobody vouches for it, or by itself (DESIGN "Forward-auth")`, async (t) => {
    for (const options of [{ clientCertificates: false }, { behind: false }]) {
      const { port, authority } = await rig(t, options);
      const certificate = written(proxy, authority.leaf({ commonName: 'build-1' }));
      const outcome = await through(proxy, { host: HOST, certificate }, { port });
      assert.ok(outcome.kind === 'answered', JSON.stringify(options));
      assert.equal(outcome.answer.status, 403);
    }
    const { gate, port, authority } = await rig(t);
    const certificate = written(proxy, authority.leaf({ commonName: 'build-1' }));
    const headers = { [CERTIFICATE_HEADERS[proxy]]: certificate, 'svc-auth-secret': PROXY_SECRET };
    assert.equal((await gate.call({ host: HOST, headers })).status, 421);
    const stranger = await ask(proxy, { host: HOST, certificate }, { port, secret: 'x' });
    assert.equal(stranger.status, 403);
  });
}

test('with a login and a certificate, both are asked for, and both are told of (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port, authority } = await rig(t, { login: testLogin() });
  const pair = authority.leaf({ commonName: 'build-1' });
  const { cookie } = gate.login(share);
  // What the proxy passes on without asking comes without the certificate.
  const session = await gate.call({ host: HOST, path: '/.svc/session', headers: { cookie } });
  assert.deepEqual([session.status, codeOf(session.body)], [403, 'certificate_required']);
  for (const proxy of PROXIES) {
    const certificate = written(proxy, pair);
    const headers = { ...PAGE_LOAD, cookie };
    const outcome = await through(proxy, { host: HOST, headers, certificate }, { port });
    assert.ok(outcome.kind === 'in');
    assert.equal(outcome.identity['svc-auth-email'], 'ada@example.com');
    assert.equal(outcome.identity['svc-auth-cert-serial'], pair.serial);
    assert.equal((await through(proxy, { host: HOST, headers }, { port })).kind, 'answered');
    assert.equal(
      (await through(proxy, { host: HOST, headers: PAGE_LOAD, certificate }, { port })).kind,
      'answered',
    );
  }
});

function codeOf(body: string): string | undefined {
  return /"code":\s*"(\w+)"/.exec(body)?.[1];
}
