import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { renderSVG } from 'uqr';
import { startControl, type TestAnswer, type TestControl } from '../../../test/support/control.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { verifyClient } from '../../../test/support/pki.ts';
import type { AuthoritiesObject, CertificateObject } from '../../wire/certificate.ts';
import { pem } from '../../x509/pem.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
const WISH = { name: 'ann’s laptop', commonName: 'ann', emailAddress: 'ann@corp.example' };

test('a token is redeemed without credentials, and what comes out passes openssl (contract 1.7, 2.7)', async () => {
  await using control = await startControl();
  const made = await makeToken(control);
  assert.equal(made.status, 201);
  const { token, redeemUrl, message, qrCode } = made.document as Record<string, string>;
  assert.match(token ?? '', /^crt_[\w-]{43}$/);
  assert.equal(redeemUrl, `${control.url.origin}/redeem#${token}`);
  assert.ok(message?.includes(`${redeemUrl}\n`));
  assert.match(message ?? '', /Do not forward it/);
  assert.equal(qrCode, renderSVG(redeemUrl ?? ''));
  const shown = await control.call({ path: `/v1/certificate-request-tokens/${made.document['id']}` });
  const start = token?.slice(0, 'crt_'.length + 6);
  assert.equal(shown.document['start'], start);
  const log = await control.call({ path: '/v1/audit-events?kind=certificate_token.created' });
  assert.ok(JSON.stringify(log.document).includes(`"start":"${start}"`));
  for (const { document } of [shown, log])
    assert.ok(!JSON.stringify(document).includes(token?.slice(0, 'crt_'.length + 7) ?? ''));
  const redeemed = await redeem(control, { token, csr });
  assert.equal(redeemed.status, 201);
  assert.deepEqual(Object.keys(redeemed.document), ['certificate', 'chain', 'serial', 'notAfter']);
  const { certificate = '', chain: ca = '' } = redeemed.document as Record<string, string>;
  const crl = pem('X509 CRL', (await file(control, 'crl.der')).body);
  assert.match(verifyClient({ certificate, ca, crl }), /: OK\n$/);
  const bundle = (await file(control, 'ca.pem')).body.toString();
  assert.equal(bundle, ca);
  const crlUrl = openssl(['x509', '-noout', '-ext', 'crlDistributionPoints'], certificate).toString();
  const named = /URI:(\S+)/.exec(crlUrl)?.[1] ?? '';
  assert.deepEqual(
    Buffer.from(await (await fetch(named)).arrayBuffer()),
    (await file(control, 'crl.der')).body,
  );
});

test('a token comes in the body or as bearer, and is good once (contract 2.7, DESIGN 2.6)', async () => {
  await using control = await startControl();
  const { token } = (await makeToken(control)).document;
  const other = opensslCsr(OPENSSL_ALGORITHMS['P-384']).csr;
  const bearer = { headers: { authorization: `Bearer ${String(token)}` } };
  assert.equal((await redeem(control, { csr }, bearer)).status, 201);
  assert.equal((await redeem(control, { token, csr })).status, 201);
  const used = await redeem(control, { token, csr: other });
  assert.deepEqual([used.status, used.document['code']], [409, 'token_used']);
  const unknown = await redeem(control, { token: `crt_${'x'.repeat(43)}`, csr });
  assert.deepEqual([unknown.status, unknown.document['code']], [404, 'token_unknown']);
  const none = await redeem(control, { csr });
  assert.deepEqual([none.status, none.document['code']], [404, 'token_unknown']);
});

test('a refused request says why, and leaves the token good (DESIGN 2.6)', async () => {
  await using control = await startControl();
  const { token } = (await makeToken(control)).document;
  const weak = opensslCsr(['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']).csr;
  const refused = await redeem(control, { token, csr: weak });
  assert.deepEqual([refused.status, refused.document['code']], [422, 'csr_refused']);
  assert.match(String(refused.document['detail']), /an RSA key of 1024 bits/);
  assert.equal((await redeem(control, { token, csr })).status, 201);
});

test('guesses from one address are slowed down, and a good token from there is not (DESIGN "Rate limits")', async () => {
  await using control = await startControl();
  const { token } = (await makeToken(control)).document;
  const statuses: number[] = [];
  for (let round = 0; round < 22; round++)
    statuses.push((await redeem(control, { token: 'crt_', csr })).status);
  assert.deepEqual(statuses, [...Array<number>(20).fill(404), 429, 429]);
  assert.equal((await redeem(control, { token, csr })).status, 201);
});

test('every try with one token counts, those that are answered, too (DESIGN "Rate limits")', async () => {
  await using control = await startControl();
  const [{ token }, { token: other }] = [
    (await makeToken(control)).document,
    (await makeToken(control)).document,
  ];
  const statuses: number[] = [];
  // The same key gets the same certificate again.
  for (let round = 0; round < 22; round++) statuses.push((await redeem(control, { token, csr })).status);
  assert.deepEqual(statuses, [...Array<number>(20).fill(201), 429, 429]);
  assert.equal((await redeem(control, { token: other, csr })).status, 201);
});

test('tokens and certificates are not given out over plain HTTP but on this machine (contract 5.4, DESIGN 2.6)', async () => {
  await using control = await startControl();
  Object.assign(control.settings.console, { publicUrl: new URL('http://control.example.com') });
  for (const answer of [await makeToken(control), await redeem(control, { token: 'crt_', csr })])
    assert.deepEqual([answer.status, answer.document['code']], [403, 'insecure_channel']);
});

test('the rules of the account hold for each token (contract 2.7: naming standards)', async () => {
  await using control = await startControl();
  const rules = {
    organization: 'Corp',
    organizationalUnits: ['Sales', 'Ops'],
    commonNamePattern: '*.corp',
    maxValidity: '10d',
  };
  const path = '/v1/certificate-policy';
  const before = (await control.call({ path })).headers.get('etag') ?? '';
  const set = await control.call({ method: 'PATCH', path, json: rules });
  assert.deepEqual(
    [set.status, set.document],
    [200, { ...rules, renewalByLogin: false, renewableFor: null }],
  );
  const late = await control.call({ method: 'PATCH', path, json: rules, headers: { 'if-match': before } });
  assert.deepEqual([late.status, late.document['code']], [412, 'precondition_failed']);
  const good = { ...WISH, commonName: 'ann.corp', organizationalUnit: 'Ops' };
  const allowed = await makeToken(control, good);
  assert.deepEqual([allowed.document['organization'], allowed.document['validity']], ['Corp', '10d']);
  const bad = [
    { ...good, commonName: 'ann' },
    { ...good, organization: 'Evil' },
    { ...good, organizationalUnit: 'Board' },
    { ...good, organizationalUnit: undefined },
    { ...good, validity: '11d' },
  ];
  for (const input of bad) {
    const { status, document } = await makeToken(control, input);
    assert.deepEqual([status, document['code']], [422, 'policy_violation'], JSON.stringify(input));
  }
});

test('what is no name, address or duration is refused with its path (DESIGN 2.6)', async () => {
  await using control = await startControl();
  const wrong = {
    commonName: ' ',
    organization: 'a\nb',
    emailAddress: 'no',
    validity: '398d',
    expiresIn: '8d',
  };
  const { status, document } = await makeToken(control, { ...WISH, ...wrong });
  assert.deepEqual([status, document['code']], [422, 'validation_failed']);
  const paths = (document['faults'] as { path: string }[]).map(({ path }) => path);
  assert.deepEqual(paths.toSorted(), Object.keys(wrong).toSorted());
});

test('the label of a token has as many characters as its description says', async () => {
  await using control = await startControl();
  const { document } = await control.call({ path: '/openapi.json' });
  const { components } = document as { components: { schemas: Record<string, { properties: object }> } };
  const { name } = components.schemas['NewCertificateRequestToken']!.properties as {
    name: { maxLength: number };
  };
  // Beyond the first plane of Unicode, where a character is two units of text.
  for (const character of ['a', '\u{20000}'])
    for (const [more, expected] of [
      [0, 201],
      [1, 422],
    ] as const) {
      const label = character.repeat(name.maxLength + more);
      assert.equal((await makeToken(control, { ...WISH, name: label })).status, expected, label);
    }
});

test('certificates are listed, shown, revoked one by one and all of a person', async () => {
  await using control = await startControl();
  const serials: string[] = [];
  for (const emailAddress of ['ann@corp.example', 'Ann@corp.example', 'bob@corp.example']) {
    const { token } = (await makeToken(control, { ...WISH, emailAddress })).document;
    serials.push(String((await redeem(control, { token, csr })).document['serial']));
  }
  const [first = '', , third = ''] = serials;
  const one = `/v1/client-certificates/${first}`;
  const revoked = await control.call({
    method: 'POST',
    path: `${one}/revoke`,
    json: { reason: 'cessation_of_operation' },
  });
  assert.deepEqual(
    [revoked.document['state'], revoked.document['revocationReason']],
    ['revoked', 'cessation_of_operation'],
  );
  const again = await control.call({ method: 'POST', path: `${one}/revoke`, json: {} });
  assert.deepEqual(again.document, revoked.document);
  const all = {
    method: 'POST',
    path: '/v1/client-certificates/revoke',
    json: { emailAddress: 'ANN@corp.example' },
  };
  assert.equal((await control.call(all)).document['revoked']?.toString().split(',').length, 1);
  const living = await list(control, '?state=living');
  assert.deepEqual(
    living.map(({ serial }) => serial),
    [third],
  );
  assert.equal((await list(control, '?email=ann@corp.example')).length, 2);
  assert.deepEqual(
    (await list(control, `?q=${first.slice(0, 12).toLowerCase()}`)).map(({ serial }) => serial),
    [first],
  );
  const [line] = await list(control, `?q=${third}`);
  assert.equal((await list(control, `?token=${line?.tokenId}`))[0]?.serial, third);
  const soon = await list(control, '?expiresWithin=31d');
  assert.deepEqual(
    soon.map(({ serial, name }) => [serial, name]),
    [[third, 'ann’s laptop']],
  );
  assert.deepEqual(await list(control, '?expiresWithin=29d'), []);
  for (const query of ['expiresWithin=soon', 'expiresWithin=1d&state=revoked']) {
    const { document } = await control.call({ path: `/v1/client-certificates?${query}` });
    assert.equal(document['code'], 'validation_failed');
  }
  const crl = openssl(
    ['crl', '-inform', 'DER', '-noout', '-text'],
    (await file(control, 'crl.der')).body,
  ).toString();
  assert.deepEqual(
    serials.map((serial) => crl.includes(serial)),
    [true, true, false],
  );
  const { items } = (await control.call({ path: '/v1/account-ca' })).document as unknown as AuthoritiesObject;
  assert.equal(items[0]?.revocationList.entries, 2);
  assert.equal(String(items[0].revocationList.number), /CRL Number:\s+(\d+)/.exec(crl)?.[1]);
  const events = await control.call({ path: '/v1/audit-events?limit=50' });
  const kinds = (events.document['items'] as { kind: string }[]).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'certificate.revoked').length, 2);
  assert.equal(kinds.filter((kind) => kind === 'certificate.issued').length, 3);
});

test('GET /v1/client-certificates sorts as it is asked, and takes no cursor of another order', async () => {
  await using control = await startControl();
  for (const [commonName, validity] of [
    ['mid', '30d'],
    ['soon', '2d'],
    ['late', '90d'],
  ] as const) {
    const { token } = (await makeToken(control, { ...WISH, commonName, validity })).document;
    await redeem(control, { token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
  }
  const path = '/v1/client-certificates?q=ann';
  const orders = {
    created: ['mid', 'soon', 'late'],
    '-created': ['late', 'soon', 'mid'],
    expires: ['soon', 'mid', 'late'],
    '-expires': ['late', 'mid', 'soon'],
  };
  for (const [sort, names] of Object.entries(orders)) {
    const first = pageOf(await control.call({ path: `${path}&sort=${sort}&limit=2` }));
    const cursor = encodeURIComponent(first.nextCursor);
    const rest = pageOf(await control.call({ path: `${path}&sort=${sort}&cursor=${cursor}` }));
    const found = [...first.items, ...rest.items].map(({ commonName }) => commonName);
    assert.deepEqual([found, rest.nextCursor], [names, null], sort);
    for (const other of ['', ...Object.keys(orders).map((each) => `&sort=${each}`)]) {
      const isSame = other === `&sort=${sort}` || (other === '' && sort === '-created');
      const { status } = await control.call({ path: `${path}${other}&cursor=${cursor}` });
      assert.equal(status, isSame ? 200 : 422, `${sort} ${other}`);
    }
  }
  for (const sort of ['', 'id', '--expires', 'created,expires'])
    assert.equal((await control.call({ path: `${path}&sort=${sort}` })).status, 422, sort);
});

test('a key that was revoked as compromised gets no certificate any more, and the answer says why', async () => {
  await using control = await startControl();
  const issue = async (request: string) =>
    redeem(control, { token: (await makeToken(control, WISH)).document['token'], csr: request });
  const [first, second] = [await issue(csr), await issue(csr)];
  const revoke = { method: 'POST', json: { reason: 'key_compromise' } };
  const path = `/v1/client-certificates/${String(second.document['serial'])}/revoke`;
  const shown = await control.call({ ...revoke, path });
  // The one that was named, whichever went with it.
  assert.equal(shown.document['serial'], second.document['serial']);
  assert.equal(shown.document['state'], 'revoked');
  const states = await list(control, `?q=${String(first.document['serial'])}`);
  assert.deepEqual(
    states.map(({ state }) => state),
    ['revoked'],
  );
  const refused = await issue(csr);
  assert.deepEqual([refused.status, refused.document['code']], [422, 'csr_refused']);
  assert.match(String(refused.document['detail']), /for a compromised key/);
  assert.equal((await issue(opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr)).status, 201);
});

test('tokens are listed by whether they are open or used', async () => {
  await using control = await startControl();
  const open = (await makeToken(control)).document['id'];
  const used = (await makeToken(control)).document;
  await redeem(control, { token: used['token'], csr });
  const found = async (query: string) => {
    const { document } = await control.call({ path: `/v1/certificate-request-tokens${query}` });
    return (document['items'] as { id: unknown }[]).map(({ id }) => id);
  };
  assert.deepEqual(new Set(await found('')), new Set([open, used['id']]));
  assert.deepEqual(await found('?state=open'), [open]);
  assert.deepEqual(await found('?state=used'), [used['id']]);
  assert.deepEqual(await found('?state=expired'), []);
});

test('each step of a token is in the audit: made, refused, redeemed, deleted (contract 5.4)', async () => {
  await using control = await startControl();
  const { token, id } = (await makeToken(control)).document;
  const weak = opensslCsr(['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']).csr;
  const other = opensslCsr(OPENSSL_ALGORITHMS['P-384']).csr;
  for (const json of [
    { token, csr: weak },
    { token, csr },
    { token, csr },
    { token, csr: other },
  ])
    await redeem(control, json);
  await redeem(control, { token: `crt_${'x'.repeat(43)}`, csr });
  await control.call({ method: 'DELETE', path: `/v1/certificate-request-tokens/${String(id)}` });
  const events = (await control.call({ path: '/v1/audit-events?limit=50' })).document['items'];
  const [issuedId] = await list(control, '');
  const actor = `certificate-request-token:${String(id)}`;
  const admin = /^api-key:key_/;
  const expected: readonly (readonly [kind: string, reason: unknown, actor: string | RegExp])[] = [
    ['certificate_token.created', id, admin],
    ['certificate.refused', 'csr_refused', actor],
    ['certificate.issued', issuedId?.id, actor],
    ['certificate.refused', 'token_used', actor],
    ['certificate_token.deleted', id, admin],
  ];
  const told = (events as Record<string, string>[]).toReversed();
  assert.equal(told.length, expected.length);
  for (const [index, [kind, reason, by]] of expected.entries()) {
    const event = told[index];
    assert.deepEqual(
      [event?.['kind'], event?.['reason'], event?.['email']],
      [kind, reason, WISH.emailAddress],
    );
    if (typeof by === 'string') assert.equal(event?.['actor'], by);
    else assert.match(event?.['actor'] ?? '', by);
  }
  assert.ok(!JSON.stringify(events).includes(String(token)));
});

test('a rotated authority issues nothing more, and stays trusted', async () => {
  await using control = await startControl();
  const { items } = (await control.call({ path: '/v1/account-ca' })).document as { items: { id: string }[] };
  const next = await control.call({ method: 'POST', path: '/v1/account-ca/rotate', json: {} });
  const { token } = (await makeToken(control)).document;
  const chain = String((await redeem(control, { token, csr })).document['chain']);
  assert.equal(chain, next.document['certificate']);
  const bundle = (await file(control, 'ca.pem')).body.toString();
  assert.equal(bundle.split('BEGIN').length - 1, 2);
  assert.ok(bundle.startsWith(chain));
  const lists = (await file(control, 'crl.pem')).body.toString();
  assert.equal(lists.split('BEGIN').length - 1, 2);
  const shown = (await control.call({ path: '/v1/account-ca' })).document as unknown as AuthoritiesObject;
  for (const { commonName, certificate, revocationList } of shown.items) {
    assert.equal(new X509Certificate(certificate).subject.split('CN=')[1], commonName);
    assert.equal(revocationList.entries, 0);
    assert.equal(
      Date.parse(revocationList.nextUpdate) - Date.parse(revocationList.thisUpdate),
      7 * 86_400_000,
    );
    assert.equal((await fetch(revocationList.url)).status, 200);
  }
  const old = await file(control, `${items[0]?.id}.crl`);
  assert.equal(old.status, 200);
  assert.equal(new X509Certificate(chain).ca, true);
});

test('an authority is replaced five times a day at most, by however many at once (THREATS "Certificates")', async () => {
  await using control = await startControl();
  const rotate = (over: object = {}) =>
    control.call({ method: 'POST', path: '/v1/account-ca/rotate', json: {}, ...over });
  const answers = await Promise.all(Array.from({ length: 8 }, () => rotate()));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
  const refused = await rotate();
  assert.deepEqual([refused.status, refused.document['code']], [429, 'rate_limited']);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 23 * 3600 && seconds <= 24 * 3600, String(seconds));
  const { items } = (await control.call({ path: '/v1/account-ca' })).document as { items: unknown[] };
  assert.equal(items.length, 6);
  assert.equal((await rotate({ as: control.mallory })).status, 200);
});

test('files of authorities say what they are, and are not sent again to whoever has them (RFC 2585 4.2, RFC 9110 13.1.2)', async () => {
  await using control = await startControl();
  const types = { 'crl.der': 'application/pkix-crl', 'crl.pem': PEM_TYPE, 'ca.pem': PEM_TYPE };
  for (const [name, type] of Object.entries(types)) {
    const url = new URL(`/pki/${control.alice.id}/${name}`, control.url);
    const { headers } = await fetch(url);
    assert.equal(headers.get('content-type'), type);
    assert.equal(headers.get('cache-control'), 'public, max-age=60');
    const etag = headers.get('etag') ?? '';
    const again = async (known: string) => (await fetch(url, { headers: { 'if-none-match': known } })).status;
    assert.deepEqual([await again(etag), await again(`"x", W/${etag}`), await again('"x"')], [304, 304, 200]);
    await control.call({ method: 'POST', path: '/v1/account-ca/rotate', json: {} });
    assert.equal(await again(etag), 200);
  }
});

test('files of authorities are of accounts that are there (THREATS "Tenancy")', async () => {
  await using control = await startControl();
  for (const path of ['acc_nobody/ca.pem', `${control.alice.id}/key.pem`, `${control.mallory.id}/x.crl`])
    assert.equal((await fetch(new URL(`/pki/${path}`, control.url))).status, 404);
  await control.store.accounts.suspend(control.alice.id, true);
  assert.equal((await file(control, 'ca.pem')).status, 404);
});

const PEM_TYPE = 'application/x-pem-file';

test('revoking all of a person deletes the unused tokens of that address, too, and writes it down (contract 2.7)', async () => {
  await using control = await startControl();
  const make = async (emailAddress: string) => {
    const json = { name: 'laptop', commonName: 'ann', emailAddress };
    return (await control.call({ path: '/v1/certificate-request-tokens', json })).document;
  };
  const [ann, bob] = [await make('Ann@corp.example'), await make('bob@corp.example')];
  const json = { emailAddress: 'ann@corp.example' };
  const { document } = await control.call({ path: '/v1/client-certificates/revoke', json });
  assert.deepEqual(document, { revoked: [], serials: [] });
  const answers = [ann, bob].map(async ({ token }) => (await redeem(control, { token, csr })).status);
  assert.deepEqual(await Promise.all(answers), [404, 201]);
  const { items } = (await control.call({ path: '/v1/audit-events?limit=50' })).document;
  const events = items as readonly { readonly kind: string; readonly reason: string }[];
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'certificate_token.deleted').map(({ reason }) => reason),
    [ann['id']],
  );
});

function pageOf({ document }: TestAnswer) {
  return document as { readonly items: readonly CertificateObject[]; readonly nextCursor: string };
}

function makeToken(control: TestControl, input: object = WISH): Promise<TestAnswer> {
  return control.call({ path: '/v1/certificate-request-tokens', json: input });
}

function redeem(control: TestControl, json: object, over: object = {}): Promise<TestAnswer> {
  return control.call({ path: '/v1/client-certificates/redeem', json, as: null, ...over });
}

async function list(control: TestControl, query: string): Promise<readonly CertificateObject[]> {
  const { document } = await control.call({ path: `/v1/client-certificates${query}` });
  return document['items'] as readonly CertificateObject[];
}

async function file(control: TestControl, name: string): Promise<{ status: number; body: Buffer }> {
  const answer = await fetch(new URL(`/pki/${control.alice.id}/${name}`, control.url));
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}
