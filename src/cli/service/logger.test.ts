import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { createLog, createLogger } from './logger.ts';
import { redactText } from './redact.ts';

const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';
const JWE = 'eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn';

function written(use: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  use(createLog('debug', { write: (line) => (text += line) }));
  return text;
}

test('createLog() writes one JSON object a line, with level, time, fields and message (issue, observability)', () => {
  const line = JSON.parse(written((log) => log.info({ requestId: 'req_1', status: 302 }, 'login started')));
  assert.equal(line.level, 'info');
  assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual([line.requestId, line.status, line.msg], ['req_1', 302, 'login started']);
});

test('createLog() keeps an injected line end inside its line (THREATS "Pages")', () => {
  const text = written((log) => log.warn({ email: 'a@b.example\n{"level":"info"}' }, 'one\ntwo'));
  assert.equal(text.trimEnd().split('\n').length, 1);
});

test('createLog() hides members named like secrets, however deep (issue, observability)', () => {
  const secret = 'correct horse battery';
  const names = [
    'cookie',
    'Set-Cookie',
    'authorization',
    'password',
    'clientSecret',
    'client_secret',
    'apiKey',
    'api_key',
    'signingKey',
    'encryption_key',
    'refreshToken',
    'access_token',
    'tokens',
    'codeVerifier',
    'nonce',
    'svc-auth-assertion',
  ];
  for (const name of names) {
    const text = written((log) => log.info({ [name]: secret, a: { b: [{ [name]: { c: secret } }] } }, 'x'));
    assert.doesNotMatch(text, /battery/, name);
  }
  assert.match(
    written((log) => log.info({ tokens: 3, code: 'invalid_grant' }, 'x')),
    /"tokens":3,"code":"invalid_grant"/,
  );
});

/** Every kind of secret that the product makes, takes or passes on, as it may stand in a text. */
const MARK = 'q7Zk2mX9vB4nT8wL1sD6';
const KINDS: Readonly<Record<string, string>> = {
  'an API key': `dw_${MARK}${MARK}xyz`,
  'a certificate request token': `crt_${MARK}`,
  'a service token': `dws_${MARK}`,
  'an invitation': `dwi_${MARK}`,
  'an invitation in a query': `https://c.example/auth/login?invitation=${MARK}`,
  'an invitation in a fragment': `https://c.example/auth/login#invitation=${MARK}`,
  'a webhook secret': `whsec_${MARK}`,
  'a session cookie': `svc-auth-session=${MARK}; Path=/`,
  'a console cookie': `__Host-svc-control=${MARK}`,
  'a Cookie header': `Cookie: a=${MARK}; b=2`,
  'a Set-Cookie header in capitals': `SET-COOKIE: x=${MARK}`,
  'a sealed request': `https://a.example/corp/login?request=${MARK}`,
  'a sealed grant': `https://a.example/auth/complete?grant=${MARK}`,
  'a sealed outcome': `https://a.example/auth/trial/outcome?outcome=${MARK}`,
  'a code': `https://a.example/corp/auth/callback?code=${MARK}`,
  'a state': `https://a.example/corp/auth/callback?x=1&state=${MARK}`,
  'an id token': `https://a.example/?id_token=${MARK}`,
  'an access token': `https://a.example/#access_token=${MARK}`,
  'a refresh token': `https://a.example/?refresh_token=${MARK}`,
  'a client secret': `https://a.example/?client_secret=${MARK}`,
  'a bearer header': `Authorization: Bearer ${MARK}`,
  'a basic header in small letters': `authorization: basic ${MARK}`,
  'the password of a database': `cannot reach postgres://doorward:${MARK}@db.example:5432/doorward`,
  'the password of a proxy': `http://ann:${MARK}@proxy.example:3128`,
};
for (const [kind, secret] of Object.entries(KINDS))
  test(`createLog() never writes ${kind}, in fields, lists, messages and errors (tokens in logs)`, () => {
    const text = written((log) => {
      log.info({ said: secret, list: [secret], deep: { said: secret } }, `said ${secret}`);
      log.error({ err: new Error(secret, { cause: new Error(secret) }) }, 'x');
    });
    assert.ok(!text.includes(MARK), text);
  });

test('createLog() never writes a member named like a secret: keys, passwords, secrets (tokens in logs)', () => {
  for (const name of [
    'masterKey',
    'master_key',
    'passphrase',
    'pkcs12Password',
    'webhookSecret',
    'COOKIE',
    'privateKey',
  ]) {
    const text = written((log) => log.info({ [name]: MARK }, 'x'));
    assert.ok(!text.includes(MARK), name);
  }
});

test('createLog() hides texts that look like secrets, in fields, messages and errors (THREATS "Protocol": tokens in logs)', () => {
  const cases = [
    `dw_${'a1'.repeat(20)}`,
    `crt_${'Zz9-'.repeat(8)}`,
    JWT,
    JWE,
    'Bearer abcdefghijklmnop',
    'http://a.example/dev/auth/callback?code=abcdefghijklmnop&state=qrstuvwxyz012345',
    'https://a.example/dev/login?request=abcdefghijklmnop',
    '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----',
  ];
  for (const secret of cases) {
    const cause = new Error(`inner ${secret}`);
    const text = written((log) => {
      log.info({ url: secret, list: [secret] }, `said ${secret}`);
      log.error({ err: new ServiceError('provider_error', `outer ${secret}`, { cause }) }, 'x');
    });
    assert.doesNotMatch(text, /a1a1a1|Zz9-Zz9|c2lnbmF0|Y2lwaGVy|abcdefghijk|qrstuv|MIGHAg/, secret);
    assert.match(text, /inner .*\[secret\]/);
  }
});

test('createLog() writes type, code and causes of an error, and nothing else that it carries', () => {
  const cause = Object.assign(new Error('refused'), {
    code: 'ECONNREFUSED',
    body: 'hunter2',
    response: { x: 'hunter2' },
  });
  const error = new ServiceError('provider_unreachable', 'Cannot reach it', {
    cause,
    extra: { note: 'hunter2' },
  });
  const text = written((log) => log.error({ err: error }, 'x'));
  const { err } = JSON.parse(text);
  assert.equal(err.code, 'provider_unreachable');
  assert.equal(err.cause.code, 'ECONNREFUSED');
  assert.doesNotMatch(text, /hunter2/);
});

test('createLog() never fails and never prints a Secret, whatever the fields', () => {
  const loop: Record<string, unknown> = { plain: new Secret('hunter2'), when: new Date(0), big: 1n };
  loop['loop'] = loop;
  const text = written((log) => log.info(loop, 'x'));
  assert.doesNotMatch(text, /hunter2/);
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (fields) => {
      assert.equal(written((log) => log.info(fields, 'x')).split('\n').length, 2);
    }),
    { numRuns: 200 },
  );
});

test('redactText() leaves other text alone (issue, observability)', () => {
  for (const text of [
    'https://a.example/?page=2&q=code',
    'login refused',
    'dw_short',
    'a token',
    'state of things',
  ])
    assert.equal(redactText(text), text);
});

test('createLogger() appends to a file, lines of workers too (issue, observability)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'));
  try {
    const file = join(folder, 'sub', 'doorward.log');
    const logger = createLogger({ level: 'info', file });
    logger.log.debug({}, 'not this');
    logger.log.info({ a: 1 }, 'this');
    logger.appendLines('{"from":"worker"}\n');
    logger.flush();
    const lines = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual([lines.length, lines[0].msg, lines[1].from], [2, 'this', 'worker']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
