// Contract 2.3 from end to end: the three options of `doorward share create`, as typed, and what they do to
// visitors.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callDoorward } from '../support/doorward.ts';
import type { Echo } from '../support/echo-backend.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.close());

test('--oauth-provider names the provider; without it the share has no login (2.3)', async () => {
  const guarded = await created('guarded', '--oauth-provider', 'corp');
  assert.equal(guarded.oauthProvider, 'corp');
  assert.equal((await service.browser().open(guarded.url)).status, 302);
  const bare = await create('open');
  assert.deepEqual([bare.code, bare.output], [2, '']);
  assert.match(bare.errors, /share_unprotected/);
  const open = await created('open', '--open');
  assert.equal(open.oauthProvider, null);
  assert.equal((await service.browser().open(open.url)).status, 200);
});

test('--oauth-provider must be a configured one (2.3)', async () => {
  const { code, errors } = await create('unknown', '--oauth-provider', 'nobody');
  assert.equal(code, 2);
  assert.match(errors, /corp/);
});

test('--oauth-email-address-pattern may be repeated, and an address that matches any one gets in (2.3)', async () => {
  const share = await created(
    'patterns',
    '--oauth-provider',
    'corp',
    '--oauth-email-address-pattern',
    '*@corp.example',
    '--oauth-email-address-pattern',
    'grace@*',
  );
  assert.deepEqual(share.oauthEmailAddressPatterns, ['*@corp.example', 'grace@*']);
  for (const [email, status] of [
    ['ada@corp.example', 200],
    ['grace@elsewhere.example', 200],
    ['ada@elsewhere.example', 403],
  ] as const) {
    const { last } = await walkLogin(service.browser(), share.url, { email });
    assert.equal(last.status, status, email);
    if (status === 200) assert.equal((JSON.parse(last.body) as Echo).headers['svc-auth-email'], email);
  }
});

test('--oauth-check-interval is 3h unless said (2.3, 8)', async () => {
  const silent = await created('silent', '--oauth-provider', 'corp');
  assert.equal(silent.oauthCheckInterval, '3h');
  const said = await created('said', '--oauth-provider', 'corp', '--oauth-check-interval', '90m');
  assert.equal(said.oauthCheckInterval, '1h30m');
  const wrong = await create('wrong', '--oauth-provider', 'corp', '--oauth-check-interval', '6h foo');
  assert.equal(wrong.code, 2);
});

test('--oauth-provider is given once for each provider, --oauth-check-interval once (2.3)', async () => {
  for (const words of [
    ['--oauth-provider', 'corp', '--oauth-provider', 'corp'],
    ['--oauth-provider', 'corp', '--oauth-check-interval', '1h', '--oauth-check-interval', '2h'],
  ]) {
    const { code, errors } = await create('twice', ...words);
    assert.equal(code, 2);
    assert.match(errors, /only once/);
  }
});

async function created(name: string, ...options: readonly string[]): Promise<ShareObject> {
  const { code, output, errors } = await create(name, ...options);
  assert.equal(code, 0, errors);
  return JSON.parse(output) as ShareObject;
}

async function create(name: string, ...options: readonly string[]) {
  const words = ['share', 'create', name, '--target', service.backend.url, '--json', ...options];
  const env = {
    XDG_CONFIG_HOME: service.folder,
    DOORWARD_URL: `http://127.0.0.1:${service.ports.control}`,
    DOORWARD_API_KEY: service.apiKey,
  };
  const { code, out, err } = await callDoorward(words, { env });
  return { code, output: out, errors: err };
}
