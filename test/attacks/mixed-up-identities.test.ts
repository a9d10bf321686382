// THREATS "Session and cookie", "Cached identity of another user": visitors who share a connection, a cache,
// a pool or a moment never get each other's identity or answer.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import {
  startTestGate,
  testLogin,
  testShare,
  type TestGateOptions,
  type TestLogin,
} from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { listen } from '../support/raw-backend.ts';

const HOST = 'demo.share.localhost';
const OTHER = 'other.share.localhost';
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const PEOPLE = ['ada', 'bea', 'cid', 'dov', 'eva'];

type Seen = {
  readonly email: string;
  readonly assertion: string;
  readonly path: string;
  readonly host: string;
};

test('Mixed-up identities: many people over few connections, HTTP/1.1', async (t) => {
  const { gate, people } = await gateOfMany(t);
  // As a balancer does: connections are anybody's.
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  t.after(() => agent.destroy());
  const asks = Array.from({ length: 600 }, async (_, index) => {
    const person = people[index % people.length]!;
    const host = index % 3 === 0 ? OTHER : HOST;
    const path = `/${index}`;
    const cookie = host === HOST ? person.demo.cookie : person.other.cookie;
    const call = httpRequest({
      port: gate.port,
      host: '127.0.0.1',
      agent,
      path,
      headers: { host, cookie },
    }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    assertOf(JSON.parse(await text(answer)) as Seen, { email: person.email, path, host, scheme: 'http' });
  });
  await Promise.all(asks);
});

test('Mixed-up identities: many people in one HTTP/2 connection, interleaved', async (t) => {
  const settings = {
    tls: true,
    publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  } as const;
  const { gate, people } = await gateOfMany(t, { settings, certificates: [CERTIFICATE] });
  const visitor = await openHttp2(t, gate.port, HOST);
  for (let round = 0; round < 6; round++)
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const person = people[index % people.length]!;
        const path = `/${round}-${index}`;
        const answer = await visitor.ask({
          ':authority': HOST,
          ':path': path,
          cookie: person.demo.cookie.split('; '),
        });
        assertOf(JSON.parse(answer.body) as Seen, { email: person.email, path, host: HOST, scheme: 'https' });
      }),
    );
});

test('Mixed-up identities: pipelined requests of different people, some of nobody, in one packet', async (t) => {
  const { gate, people } = await gateOfMany(t);
  const heads = Array.from({ length: 40 }, (_, index) => {
    const person = people[index % people.length]!;
    const cookie = index % 4 === 3 ? '' : `Cookie: ${person.demo.cookie}\r\n`;
    return `GET /${index} HTTP/1.1\r\nHost: ${HOST}\r\n${cookie}${index === 39 ? 'Connection: close\r\n' : ''}\r\n`;
  });
  const answers = (await gate.raw(heads.join(''), 5_000)).split(/(?=HTTP\/1\.1 \d)/);
  assert.equal(answers.length, 40);
  for (const [index, answer] of answers.entries()) {
    if (index % 4 === 3) assert.match(answer, /^HTTP\/1\.1 302 /);
    else {
      const { email } = people[index % people.length]!;
      const seen = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Seen;
      assertOf(seen, { email, path: `/${index}`, host: HOST, scheme: 'http' });
    }
  }
});

test('Mixed-up identities: people who leave in the middle leave no answer for the next', async (t) => {
  const { gate, people } = await gateOfMany(t);
  for (let round = 0; round < 15; round++) {
    const leavers = Array.from({ length: 10 }, (_, index) => {
      const call = httpRequest({
        port: gate.port,
        host: '127.0.0.1',
        agent: false,
        path: '/slow',
        headers: { host: HOST, cookie: people[index % 5]!.demo.cookie },
      }).end();
      call.on('error', () => {});
      call.on('response', (answer) => answer.on('error', () => {}).once('data', () => call.destroy()));
      if (index % 2 === 0) setTimeout(() => call.destroy(), round);
      return new Promise<void>((resolve) => call.on('close', () => resolve()));
    });
    const stayers = people.map(async (person, index) => {
      const path = `/${round}-${index}`;
      const { body } = await gate.call({ host: HOST, path, headers: { cookie: person.demo.cookie } });
      assertOf(JSON.parse(body) as Seen, { email: person.email, path, host: HOST, scheme: 'http' });
    });
    await Promise.all([...leavers, ...stayers]);
  }
});

test('Mixed-up identities: sessions that are asked for at the same moment are told apart', async (t) => {
  let pending = 0;
  const { gate, people, states } = await gateOfMany(t, {
    answers: async ({ sessionId }) => {
      // The later asked, the sooner answered.
      await pause(Math.max(0, 60 - 10 * pending++));
      return { kind: 'session', state: states.get(sessionId) ?? null };
    },
  });
  await Promise.all(
    [...people, ...people].map(async (person, index) => {
      const { body } = await gate.call({
        host: HOST,
        path: `/${index}`,
        headers: { cookie: person.demo.cookie },
      });
      assertOf(JSON.parse(body) as Seen, {
        email: person.email,
        path: `/${index}`,
        host: HOST,
        scheme: 'http',
      });
    }),
  );
});

type Expected = {
  readonly email: string;
  readonly path: string;
  readonly host: string;
  readonly scheme: string;
};

function assertOf(seen: Seen, { email, path, host, scheme }: Expected): void {
  assert.deepEqual([seen.email, seen.path, seen.host], [email, path, host]);
  const claims = JSON.parse(
    Buffer.from(seen.assertion.split('.')[1] ?? '', 'base64url').toString(),
  ) as Record<string, string>;
  assert.deepEqual(
    [claims['email'], claims['aud'], claims['sub']],
    [email, `${scheme}://${host}`, `subject of ${email}`],
  );
}

async function gateOfMany(t: TestContext, options: TestGateOptions = {}) {
  const server = createServer(async (request, response) => {
    const { headers, url = '' } = request;
    if (url === '/slow') response.write('{');
    await pause(Math.random() * 5);
    const seen = {
      email: headers['svc-auth-email'],
      assertion: headers['svc-auth-assertion'],
      path: url,
      host: headers.host,
    };
    response.end(JSON.stringify(seen));
  });
  const target = `http://127.0.0.1:${await listen(server)}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const demo = testShare('demo', target, { login: testLogin() });
  const other = testShare('other', target, { login: testLogin() });
  const gate = await startTestGate({ shares: [demo, other], ...options });
  t.after(gate.close);
  const people = PEOPLE.map((name) => {
    const email = `${name}@example.com`;
    const more = { email, subject: `subject of ${email}`, binding: `the-binding-of-${name}` };
    return { email, demo: gate.login(demo, more), other: gate.login(other, more) };
  });
  const logins: readonly TestLogin[] = people.flatMap((person) => [person.demo, person.other]);
  const states = new Map(logins.map(({ state }) => [state.id, state]));
  return { gate, people, states };
}
