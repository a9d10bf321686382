// THREATS "Public certificates": strangers choose the host that they ask for, in a handshake and in a
// request.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { FIRST_USE_LIMITS } from '../../src/acme/first-use.ts';
import { createChallengeBook } from '../../src/acme/challenge-book.ts';
import { handshake, OWN_NAMES, startAcme } from '../support/acme-service.ts';
import { until } from '../support/until.ts';

test('names that are not ours get no redirect, no challenge and no certificate; paths lead to no file', async (t) => {
  const { server, httpPort, tlsPort, ordered, settled } = await startAcme(t);
  await settled();
  const ask = async (host: string, path: string, method = 'GET') => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: httpPort,
      path,
      method,
      headers: { host },
      agent: false,
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return { status: response.statusCode, location: response.headers.location };
  };
  assert.deepEqual(await ask('wiki.share.test:80', '/a?b=c'), {
    status: 308,
    location: 'https://wiki.share.test/a?b=c',
  });
  assert.deepEqual(
    (await ask('LOGIN.share.test.', '//evil.example/x')).location,
    'https://login.share.test//evil.example/x',
  );
  for (const host of [
    'evil.example',
    'share.test.evil.example',
    'evilshare.test',
    '127.0.0.1',
    'a.b.share.test',
    'evil.example@share.test',
    '',
  ])
    assert.equal((await ask(host, '/')).location, undefined, host);
  const { token, name } = server.orders[0]!;
  const challenge = '/.well-known/acme-challenge/';
  for (const path of [
    '',
    '..%2f..%2f..%2fetc%2fpasswd',
    '../../../etc/passwd',
    `${token}/`,
    `${token}?a`,
    `${token}%00`,
    'x'.repeat(129),
    '.',
  ])
    assert.equal((await ask(name, `${challenge}${path}`)).status, 404, path);
  assert.equal((await ask('evil.example', `${challenge}${token}`)).status, 404);
  assert.equal((await ask(name, `${challenge}${token}`, 'POST')).status, 405);
  for (const stranger of ['evil.example', 'login.share.test'])
    await assert.rejects(handshake(tlsPort, stranger, { protocols: ['acme-tls/1'] }), stranger);
  const visitor = await handshake(tlsPort, 'login.share.test', { protocols: ['acme-tls/1', 'http/1.1'] });
  assert.equal(visitor.alpnProtocol, 'http/1.1', 'who offers both is a visitor');
  visitor.destroy();
  assert.equal(ordered().length, OWN_NAMES.length);
});

test('a flood of strangers’ names orders nothing, and keeps nobody from a certificate', async (t) => {
  const { service, tlsPort, open, ordered, settled } = await startAcme(t);
  await settled();
  await service.share('wiki');
  const flood = Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => handshake(tlsPort, `n${index}.share.test`)),
  );
  const visitor = await open('wiki.share.test');
  assert.equal(visitor.getPeerX509Certificate()?.subjectAltName, 'DNS:wiki.share.test');
  for (const each of await flood) if (each.status === 'fulfilled') each.value.destroy();
  assert.deepEqual(ordered().toSorted(), [...OWN_NAMES, 'wiki.share.test'].toSorted());
});

test('shares of one account burn no more of what the ACME server allows than their part', async (t) => {
  const { service, tlsPort, ordered, settled } = await startAcme(t);
  await settled();
  const names = Array.from({ length: FIRST_USE_LIMITS.mostOfAccount + 5 }, (_, index) => `s${index}`);
  for (const name of names) await service.share(name);
  const visits = names.map((name) => handshake(tlsPort, `${name}.share.test`));
  for (const socket of await Promise.all(visits)) socket.destroy();
  await until(() => ordered().length >= OWN_NAMES.length + FIRST_USE_LIMITS.mostOfAccount);
  for (const name of names) (await handshake(tlsPort, `${name}.share.test`)).destroy();
  assert.equal(ordered().length, OWN_NAMES.length + FIRST_USE_LIMITS.mostOfAccount);
});

test('the challenge book reads the store a few times a second, whoever asks, and what was written before', async () => {
  let reads = 0;
  const rests: (() => void)[] = [];
  const known = {
    token: 'abc',
    nameId: 'acn_1',
    kind: 'http-01',
    host: 'a.test',
    answer: 'yes',
    expiresAt: 2,
  } as const;
  let stored: readonly (typeof known)[] = [];
  const book = createChallengeBook({
    read: async () => {
      reads++;
      return stored;
    },
    now: () => 1,
    pause: () => new Promise((resolve) => rests.push(resolve)),
  });
  assert.equal(await book.find('http-01', 'a.test', 'abc'), null);
  const flood = Promise.all(
    Array.from({ length: 1_000 }, (_, index) => book.find('http-01', 'b.test', `t${index}`)),
  );
  stored = [known];
  const asked = book.find('http-01', 'a.test', 'abc');
  assert.equal(reads, 1, 'nobody reads while it rests');
  rests.shift()?.();
  assert.equal(await asked, 'yes');
  assert.ok((await flood).every((each) => each === null));
  assert.equal(reads, 2);
});
