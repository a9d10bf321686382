// What is written down, as an account reads it: `GET /v1/audit-events` after real logins, refusals, checks
// and logouts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

type Event = Readonly<Record<string, unknown>> & { readonly kind: string };

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test('an audit event for each login, refusal, refresh and logout, with who, where and which request', async () => {
  const share = await service.share('demo', {
    oauthEmailAddressPatterns: ['*@example.com'],
    oauthCheckInterval: '1s',
  });
  const ada = service.browser();
  await walkLogin(ada, share.url, { email: 'ada@example.com' });
  const login = await eventOf('login.succeeded', 'ada@example.com');
  assert.equal(login['shareId'], share.id);
  assert.equal(login['provider'], 'corp');
  assert.equal(login['ip'], '127.0.0.1');
  assert.match(String(login['requestId']), /^\S+$/);
  assert.match(String(login['sessionId']), /^ses_/);

  await walkLogin(service.browser(), share.url, { email: 'eve@elsewhere.test' });
  const refusal = await eventOf('login.refused', 'eve@elsewhere.test');
  assert.equal(refusal['reason'], 'email_refused');
  assert.equal(refusal['sessionId'], null);

  const refresh = await eventually('a refresh is written down', async () => {
    assert.equal((await ada.open(share.url)).status, 200);
    return (await events()).find(({ kind }) => kind === 'session.refreshed');
  });
  assert.equal(refresh['sessionId'], login['sessionId']);

  await ada.open(`${service.endpointUrl}/corp/logout`);
  const logout = await eventOf('logout', 'ada@example.com');
  assert.equal(logout['sessionId'], login['sessionId']);
});

test('a check that the provider refuses is written down with its reason', async () => {
  const share = await service.share('ended', { oauthCheckInterval: '1s' });
  const ada = service.browser();
  await walkLogin(ada, share.url, { email: 'lin@example.com' });
  service.idp.faults.refresh = 'invalid_grant';
  try {
    await eventually('the session is over', async () => (await ada.open(share.url)).status === 302);
  } finally {
    service.idp.faults.refresh = 'none';
  }
  const ended = await eventOf('session.ended', 'lin@example.com');
  assert.equal(ended['reason'], 'invalid_grant');
  assert.equal(ended['shareId'], share.id);
});

test('a login that the person denied at the provider is written down', async () => {
  const share = await service.share('denied');
  const browser = service.browser();
  const walk = await walkLogin(browser, share.url, {
    email: 'ada@example.com',
    until: (next) => next.pathname.endsWith('/auth/callback'),
  });
  const { state = '', iss = '' } = Object.fromEntries(walk.stopped?.searchParams ?? []);
  const denied = new URLSearchParams({ error: 'access_denied', state, iss });
  const answer = await browser.open(`${service.endpointUrl}/corp/auth/callback?${denied}`);
  assert.equal(answer.status, 403);
  const event = await eventually('the refusal is written down', async () =>
    (await events()).find(({ reason }) => reason === 'access_denied'),
  );
  assert.equal(event.kind, 'login.refused');
  assert.equal(event['shareId'], share.id);
});

test('no event holds a cookie, code or token', async () => {
  const share = await service.share('secretive');
  const browser = service.browser();
  const walk = await walkLogin(browser, share.url, { email: 'ada@example.com' });
  await browser.open(`${service.endpointUrl}/corp/logout`);
  await eventually('the logout is written down', async () =>
    (await events()).some(({ kind, shareId }) => kind === 'logout' && shareId === share.id),
  );
  const told = JSON.stringify(await events());
  const cookies = walk.answers.flatMap(({ setCookies }) => setCookies.map((line) => valueOf(line)));
  const codes = walk.answers.flatMap(({ url }) => url.searchParams.values().toArray());
  const secrets = [...cookies, ...codes, ...service.idp.revoked].filter((text) => text.length > 20);
  assert.ok(secrets.length > 4);
  for (const secret of secrets) assert.ok(!told.includes(secret));
});

async function eventOf(kind: string, email: string): Promise<Event> {
  return eventually(`${kind} of ${email}`, async () =>
    (await events()).find((event) => event.kind === kind && event['email'] === email),
  );
}

async function events(): Promise<readonly Event[]> {
  const response = await fetch(`http://127.0.0.1:${service.ports.control}/v1/audit-events?limit=100`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { readonly items: readonly Event[] }).items;
}

function valueOf(setCookie: string): string {
  return /=([^;]*)/.exec(setCookie)?.[1] ?? '';
}
