// Shares in words, and what a form changes of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareObject } from '../../../src/wire/share.ts';
import { faultAt } from '../parts/faults.ts';
import { draftChanges, draftOf, type SettingsDraft } from './settings-draft.ts';
import { changesOf, withChanges } from './share-changes.ts';
import { admissionText, hasLogins, isServed, shareFields } from './share-words.ts';
import { factsOf, readFacts, saysSomething, writeFacts } from './tested-facts.ts';

const SHARE: ShareObject = {
  id: 'shr_1',
  name: 'wiki',
  url: 'https://wiki.share.example.com',
  target: 'http://10.0.0.5:8080',
  tunnel: null,
  hosts: ['wiki.share.example.com'],
  oauthProvider: 'google',
  oauthEmailAddressPatterns: ['*@example.com'],
  oauthCheckInterval: '3h',
  clientCertificate: null,
  open: false,
  access: 'all',
  allowOrigins: [],
  allowGroups: [],
  allowPaths: [],
  allowAddresses: [],
  accessRequests: false,
  behind: false,
  denyEmails: [],
  rules: [],
  identity: [],
  hostHeader: null,
  owner: null,
  description: null,
  icon: null,
  listed: true,
  enabled: true,
  agentSeenAt: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};
const CERTIFICATE = { required: true, subject: 'build-*', unit: null } as const;
const OPEN: ShareObject = {
  ...SHARE,
  oauthProvider: null,
  oauthEmailAddressPatterns: [],
  oauthCheckInterval: null,
  open: true,
};

test('admissionText() says who gets in, by the display name of the provider, and an open share is open', () => {
  const texts = [
    SHARE,
    { ...SHARE, oauthEmailAddressPatterns: [] },
    { ...SHARE, oauthEmailAddressPatterns: ['a@b.example', 'c@d.example', 'e@f.example'] },
    OPEN,
    { ...OPEN, open: false, clientCertificate: CERTIFICATE },
    { ...SHARE, clientCertificate: CERTIFICATE },
    { ...SHARE, clientCertificate: { ...CERTIFICATE, unit: 'CI' }, access: 'either' as const },
  ].map((share) => admissionText(share, titleOf));
  assert.deepEqual(texts, [
    '*@example.com, by Google',
    'any login at Google',
    'a@b.example and 2 more, by Google',
    'everyone',
    'whoever holds a client certificate named build-*',
    '*@example.com, by Google, with a client certificate named build-*',
    '*@example.com, by Google, or a client certificate named build-* of the unit CI',
  ]);
});

test('admissionText() says what lets in more than the login does (DESIGN "Rules")', () => {
  const rules = [{ allow: { tokens: ['ci'] } }];
  const texts = [
    { ...SHARE, rules },
    { ...SHARE, allowPaths: ['/*'] },
    { ...SHARE, oauthProvider: null, clientCertificate: CERTIFICATE, rules },
    { ...SHARE, oauthProvider: null, rules, allowPaths: ['/*'] },
  ].map((share) => admissionText({ ...share, oauthEmailAddressPatterns: [] }, titleOf).split(', and '));
  assert.deepEqual(
    texts.map(([, ...more]) => more),
    [['by its rules'], ['everyone at its open paths'], ['by its rules'], ['everyone at its open paths']],
  );
  assert.equal(texts.at(-1)?.[0], 'by its rules');
});

test('hasLogins() finds the providers of rules, too', () => {
  const none = { ...SHARE, oauthProvider: null };
  assert.deepEqual([SHARE, none, { ...none, rules: [{ allow: { providers: ['corp'] } }] }].map(hasLogins), [
    true,
    false,
    true,
  ]);
});

test('isServed() believes the last note of an agent for two minutes', () => {
  const agentSeenAt = '2026-01-01T00:00:00Z';
  const now = Date.parse(agentSeenAt);
  assert.deepEqual(
    [null, agentSeenAt].flatMap((at) =>
      [60_000, 180_000].map((ms) => isServed({ agentSeenAt: at }, now + ms)),
    ),
    [false, false, true, false],
  );
});

const changesIn = (draft: SettingsDraft) => draftChanges(draft, 'Who gets in');

test('changesOf() sends nothing that the share has already', () => {
  assert.equal(changesOf(SHARE, changesIn(draftOf(SHARE))), null);
  const certified: ShareObject = { ...SHARE, clientCertificate: CERTIFICATE, access: 'either' };
  assert.equal(changesOf(certified, changesIn(draftOf(certified))), null);
  assert.equal(changesOf(OPEN, changesIn(draftOf(OPEN))), null);
  const wanted = { ...draftOf(SHARE), oauthEmailAddressPatterns: ' *@example.com\n\nann@example.org ' };
  assert.deepEqual(changesOf(SHARE, changesIn(wanted)), {
    oauthEmailAddressPatterns: ['*@example.com', 'ann@example.org'],
  });
});

test('draftChanges() says that everyone may open a share where that was chosen and nothing protects it', () => {
  const none = { ...draftOf(SHARE), oauthProvider: '' };
  const certificate = { required: true, subject: '', unit: '' };
  assert.equal(changesIn(none).open, undefined);
  assert.equal(changesIn({ ...none, open: true }).open, true);
  assert.equal(changesIn({ ...none, open: true, clientCertificate: certificate }).open, undefined);
  assert.equal(changesIn({ ...draftOf(SHARE), open: true }).open, undefined);
});

test('draftChanges() says rules as the service keeps them, and asks for the word only where one opens the share', () => {
  const login: ShareObject['rules'] = [{ allow: { providers: ['corp'] } }];
  assert.deepEqual(changesIn(ruled(login)).rules, login);
  assert.equal(changesIn({ ...ruled(login), oauthProvider: '' }).open, undefined);
  assert.equal(changesIn(ruled([{ allow: { everyone: true } }])).open, true);
  assert.equal(changesIn(ruled([{ allow: { everyone: true, paths: ['/*'] } }])).open, undefined);
  // The interval goes with a login by rules, too; patterns with a login of the share alone.
  const byRules = changesIn({ ...ruled(login), oauthProvider: ' ' });
  assert.deepEqual(
    [byRules.oauthProvider, byRules.oauthCheckInterval, byRules.oauthEmailAddressPatterns],
    [null, '3h', []],
  );
  assert.deepEqual(changesIn({ ...ruled([]), oauthProvider: 'corp\ngoogle' }).oauthProvider, [
    'corp',
    'google',
  ]);
  // Groups may have spaces in their names.
  assert.deepEqual(changesIn({ ...ruled([]), allowGroups: 'Domain Users\n eng-* \n' }).allowGroups, [
    'Domain Users',
    'eng-*',
  ]);
});

test('withChanges() is the share as the service would make it', () => {
  const closed = withChanges(SHARE, { oauthProvider: null });
  assert.deepEqual(
    [closed.oauthEmailAddressPatterns, closed.oauthCheckInterval, closed.open],
    [[], null, true],
  );
  const login = withChanges(OPEN, { oauthProvider: 'github', oauthCheckInterval: null });
  assert.deepEqual([login.oauthProvider, login.oauthCheckInterval], ['github', '3h']);
  const rules = [{ allow: { providers: ['corp'] } }];
  const byRules = (settings: object) => withChanges(OPEN, { rules, ...settings });
  assert.deepEqual([byRules({}).oauthCheckInterval, byRules({}).open], [null, false]);
  assert.equal(byRules({ oauthCheckInterval: '1h' }).oauthCheckInterval, '1h');
  assert.equal(byRules({ rules: [{ allow: { everyone: true } }] }).open, true);
  const both = withChanges(SHARE, { clientCertificate: { required: true }, access: 'either' });
  assert.deepEqual(
    [both.clientCertificate, both.access],
    [{ required: true, subject: null, unit: null }, 'either'],
  );
  assert.equal(withChanges(both, { clientCertificate: null }).access, 'all');
});

test('shareFields() tells every setting apart', () => {
  const other: ShareObject = {
    ...SHARE,
    target: 'http://10.0.0.6:8080',
    hosts: [...SHARE.hosts, 'app.example.com'],
    oauthProvider: 'github',
    oauthEmailAddressPatterns: [],
    oauthCheckInterval: '1h',
    clientCertificate: CERTIFICATE,
    access: 'either',
    allowOrigins: ['https://a.example'],
    allowGroups: ['eng'],
    allowPaths: ['/healthz'],
    allowAddresses: ['10.0.0.0/8'],
    accessRequests: true,
    behind: false,
    denyEmails: ['mallory@example.com'],
    rules: [{ deny: { outside: ['10.0.0.0/8'] } }],
    identity: ['groups'],
    hostHeader: 'target',
    owner: 'ann@example.com',
    description: 'Notes',
    icon: 'globe',
    listed: false,
    enabled: false,
  };
  const [one, two] = [shareFields(SHARE), shareFields(other)];
  for (const field of Object.keys(one)) assert.notEqual(one[field], two[field], field);
});

test('factsOf() says what is typed, and keeps what is unknown apart from what is absent', () => {
  const query = new URLSearchParams({ tab: 'x', noToken: 'yes', at: 'gone' });
  const draft = {
    ...readFacts(query),
    at: '',
    email: ' ann@example.com ',
    groups: 'eng\n\nops, web',
    unit: 'CI',
  };
  const typed = { ...draft, claims: 'dept=a=b\ndept=c\nempty=', method: 'post' };
  const written = writeFacts(query, typed);
  assert.deepEqual(
    [written.get('tab'), written.has('at'), written.get('email')],
    ['x', false, 'ann@example.com'],
  );
  const facts = JSON.parse(JSON.stringify(factsOf(readFacts(written)))) as unknown;
  assert.deepEqual(facts, {
    email: 'ann@example.com',
    groups: ['eng', 'ops, web'],
    claims: { dept: ['a=b', 'c'], empty: [] },
    certificate: { unit: 'CI' },
    token: null,
    method: 'POST',
  });
  assert.equal(saysSomething(readFacts(new URLSearchParams('tab=x'))), false);
});

test('faultAt() finds what is wrong with a list, and on which line', () => {
  const faults = { target: 'no', patterns: 'too many', 'patterns.1': 'no glob', 'patternsOf.0': 'other' };
  assert.equal(faultAt(faults, 'patterns'), 'too many Line 2: no glob.');
  assert.equal(faultAt({ target: 'no' }, 'patterns'), undefined);
});

function ruled(rules: ShareObject['rules']): SettingsDraft {
  return { ...draftOf({ ...SHARE, rules }), open: true };
}

const TITLES: Readonly<Record<string, string>> = { google: 'Google' };
function titleOf(name: string): string {
  return TITLES[name] ?? name;
}
