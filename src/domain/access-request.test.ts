import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHARE } from '../../test/support/decision-rows.ts';
import {
  exactEmailGlob,
  grantedRules,
  MAX_MESSAGE_LENGTH,
  mayRequestAccess,
  requestMessage,
} from './access-request.ts';
import type { AccessRuleDocument } from './access-rule.ts';
import { compileEmailPattern } from './email-pattern.ts';
import { parseRules } from './parse-rules.ts';
import type { Share } from './share.ts';

const NOW = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
const EVE = { provider: 'corp', email: 'eve@elsewhere.org', until: NOW + DAY_MS };
const UNTIL = '2030-01-02T00:00:00.000Z';
const PLAIN = { oauthProvider: 'corp', clientCertificate: null, access: 'all', rules: [] } as const;

test('requestMessage() is one line of visible characters, and null for what is too long or no text', () => {
  assert.equal(requestMessage('  a\r\n\tb\u202e\u2028c\0 '), 'a b c');
  assert.equal(requestMessage(' \n '), '');
  assert.equal(requestMessage('x'.repeat(MAX_MESSAGE_LENGTH))?.length, MAX_MESSAGE_LENGTH);
  assert.equal(requestMessage('x'.repeat(MAX_MESSAGE_LENGTH + 1)), null);
  assert.equal(requestMessage('\ud800'), null);
});

test('exactEmailGlob() matches the address and no other, whatever characters it has', () => {
  for (const name of ['*', 'a*b', 'a?b', '{a}b', 'a+b', "o'b"]) {
    const { matches } = compileEmailPattern(exactEmailGlob(`${name}@x.org`));
    assert.equal(matches(`${name}@x.org`), true, name);
    for (const other of ['axb', 'ab', 'a', 'b', 'abc'])
      assert.equal(matches(`${other}@x.org`), false, `${name}: ${other}`);
  }
});

test('grantedRules() adds one rule for this address at this provider until then, which can be written', () => {
  const kept = { deny: { emails: ['mallory@example.com'] } };
  const granted = grantedRules({ ...PLAIN, rules: [kept] }, EVE, NOW);
  const rule = { allow: { providers: ['corp'], emails: ['eve@elsewhere.org'], until: UNTIL } };
  assert.deepEqual(granted, [kept, rule]);
  assert.equal(parseRules(granted).length, 2);
});

test('grantedRules() takes the place of what is over for the same person, and of nothing else', () => {
  const rule = (over: object) => ({ allow: { providers: ['corp'], emails: [EVE.email], ...over } });
  const stay: readonly AccessRuleDocument[] = [
    rule({}),
    rule({ until: '2030-01-05' }),
    rule({ until: '2029-12-01', emails: ['ann@elsewhere.org'] }),
    rule({ until: '2029-12-01', providers: ['google'] }),
    rule({ until: '2029-12-01', paths: ['/x'] }),
    { deny: { emails: [EVE.email], until: '2029-12-01' } },
  ];
  const over = [rule({ until: '2029-12-01' }), { allow: { until: UNTIL, ...rule({}).allow } }];
  const granted = grantedRules({ ...PLAIN, rules: [...stay, ...over] }, EVE, NOW + 2 * DAY_MS);
  assert.deepEqual(granted.slice(0, -1), stay);
  assert.equal(granted.length, stay.length + 1);
});

test('grantedRules() asks for the certificate where the login counts only beside one, at several providers, too', () => {
  const certificate = { subject: 'build-*', unit: null };
  const asked = (share: object) => {
    const [rule] = grantedRules({ ...PLAIN, clientCertificate: certificate, ...share }, EVE, NOW);
    return rule !== undefined && 'allow' in rule ? rule.allow.certificate : assert.fail();
  };
  assert.deepEqual(asked({}), certificate);
  assert.deepEqual(asked({ oauthProvider: ['corp', 'google'] }), certificate);
  assert.equal(asked({ access: 'either' }), undefined);
  assert.equal(asked({ oauthProvider: null }), undefined);
});

test('grantedRules() asks for the certificate that each rule asks of a login there (THREATS "Requests for access")', () => {
  const certificate = { subject: 'build-*', unit: null };
  const both = { allow: { certificate, providers: ['corp'], groups: ['eng'] } };
  const asked = (rules: readonly AccessRuleDocument[], oauthProvider: string | null = null) => {
    const granted = grantedRules({ ...PLAIN, oauthProvider, rules }, EVE, NOW).at(-1);
    return granted !== undefined && 'allow' in granted ? granted.allow.certificate : assert.fail();
  };
  const alone = { allow: { providers: ['corp'], groups: ['ops'] } };
  const others = [
    { allow: { providers: ['google'] } },
    { deny: { providers: ['corp'], addresses: ['10.0.0.1'] } },
  ];
  assert.deepEqual(asked([both]), certificate);
  assert.deepEqual(asked([...others, both]), certificate);
  assert.deepEqual(asked([both], 'google'), certificate);
  assert.equal(asked([both, alone]), undefined);
  assert.equal(asked([both], 'corp'), undefined);
  const share: Share = {
    ...SHARE,
    accessRequests: true,
    login: SHARE.login && { ...SHARE.login, named: [] },
  };
  const eve = { provider: SHARE.login?.named[0] ?? '', email: EVE.email, facts: null };
  const rule = { allow: { certificate, providers: [eve.provider], emails: ['*@corp.com'] } };
  assert.equal(mayRequestAccess({ ...share, rules: [rule] }, eve), true);
});

test('mayRequestAccess(): only where the share takes requests and to be let in would help', () => {
  const share: Share = {
    ...SHARE,
    accessRequests: true,
    login: SHARE.login && { ...SHARE.login, emailPatterns: ['*@corp.com'] },
  };
  const eve = { provider: SHARE.login?.named[0] ?? '', email: EVE.email, facts: null };
  assert.equal(mayRequestAccess(share, eve), true);
  assert.equal(mayRequestAccess({ ...share, accessRequests: false }, eve), false);
  assert.equal(mayRequestAccess({ ...share, denyEmails: ['eve@*'] }, eve), false);
  assert.equal(mayRequestAccess(share, { ...eve, provider: 'nobody' }), false);
});
