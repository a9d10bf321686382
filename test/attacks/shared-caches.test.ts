// A cache between the gate and its visitors answers everybody with what it keeps: nothing of a protected
// share may be kept there unless its backend says so in words (RFC 9111 sections 3 and 4.2.2).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { rawBackend } from '../support/raw-backend.ts';

/** Path, head of the backend's answer, and what a cache is told. */
const ANSWERS: Readonly<Record<string, readonly [head: string, told: string]>> = {
  '/nothing': ['200 OK', 'private'],
  '/expires': ['200 OK\r\nExpires: Thu, 01 Jan 2099 00:00:00 GMT', 'private'],
  '/pragma': ['200 OK\r\nPragma: cache', 'private'],
  '/gone': ['410 Gone', 'private'],
  '/moved': ['301 Moved\r\nLocation: /x', 'private'],
  '/same': ['304 Not Modified\r\nETag: "a"', 'private'],
  '/aged': ['200 OK\r\nCache-Control: max-age=600', 'max-age=600, private'],
  '/public': ['200 OK\r\nCache-Control: public, max-age=600', 'public, max-age=600'],
  '/shared': ['200 OK\r\nCache-Control: s-maxage=600', 's-maxage=600'],
  '/none': ['200 OK\r\nCache-Control: no-store', 'no-store'],
};

test('Shared caches: answers of a protected share are private unless the backend says otherwise, by HTTP/1.1 and HTTP/2', async (t) => {
  const backend = await rawBackend((socket, head) => {
    const [answer] = ANSWERS[head.split(' ')[1]!]!;
    socket.write(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`);
  });
  t.after(backend.close);
  const target = `http://127.0.0.1:${backend.port}`;
  const shares = [testShare('demo', target, { login: testLogin() }), testShare('open', target)] as const;
  const plain = await startTestGate({ shares });
  t.after(plain.close);
  const secure = await startTestGate({
    shares,
    certificates: [makeCertificate(['*.share.localhost'])],
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
  });
  t.after(secure.close);
  const { cookie } = plain.login(shares[0]);
  const secureCookie = secure.login(shares[0]).cookie;
  const visitor = await openHttp2(t, secure.port, 'demo.share.localhost');
  for (const [path, [head, told]] of Object.entries(ANSWERS)) {
    const answer = await plain.call({ host: 'demo.share.localhost', path, headers: { cookie } });
    assert.equal(answer.headers['cache-control'], told, path);
    const second = await visitor.ask({
      ':authority': 'demo.share.localhost',
      ':path': path,
      cookie: secureCookie,
    });
    assert.equal(second.headers['cache-control'], told, `${path} by HTTP/2`);
    const open = await plain.call({ host: 'open.share.localhost', path });
    assert.equal(open.headers['cache-control'], /Cache-Control: (.*)/.exec(head)?.[1], `${path}, open`);
  }
  const login = await plain.call({ host: 'demo.share.localhost', path: '/nothing' });
  assert.deepEqual([login.status, login.headers['cache-control']], [302, 'no-store']);
  const refused = await plain.call({ host: 'nobody.share.localhost' });
  assert.deepEqual([refused.status, refused.headers['cache-control']], [404, 'no-store']);
});
