import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessChange } from './access-change.ts';
import type { AccessRuleDocument } from './access-rule.ts';
import { type ShareSettings, UNSET_SETTINGS } from './share-values.ts';

const RULE: AccessRuleDocument = { allow: { providers: ['corp'], groups: ['eng-*'] } };

test('accessChange() tells what differs of who gets in, and nothing of other settings', () => {
  const before = share({ oauthProvider: 'corp', allowGroups: ['ops'], enabled: true });
  const after = share({ ...before, allowGroups: [], rules: [RULE], enabled: false });
  assert.deepEqual(accessChange(before, after), {
    before: { allowGroups: ['ops'], rules: [] },
    after: { allowGroups: [], rules: [RULE] },
    omitted: 0,
  });
  const wider = accessChange(before, { ...before, allowGroups: ['ops', 'eng-*'] });
  assert.deepEqual(wider?.after, { allowGroups: ['ops', 'eng-*'] });
  assert.equal(accessChange(before, { ...before, enabled: false }), null);
});

test('accessChange() of a share that is made or deleted has one side', () => {
  const login = share({ oauthProvider: 'corp', access: 'either', clientCertificate: ANY });
  const told = { oauthProvider: 'corp', clientCertificate: ANY, access: 'either' };
  assert.deepEqual(accessChange(null, login), { before: null, after: told, omitted: 0 });
  assert.deepEqual(accessChange(login, null), { before: told, after: null, omitted: 0 });
  assert.deepEqual(accessChange(null, UNSET_SETTINGS), { before: null, after: {}, omitted: 0 });
});

test('accessChange() knows each setting that compiles to rules', () => {
  const all = {
    oauthProvider: 'corp',
    oauthEmailAddressPatterns: ['*@example.com'],
    clientCertificate: ANY,
    access: 'either',
    allowGroups: ['eng-*'],
    allowPaths: ['/healthz'],
    allowAddresses: ['10.0.0.0/8'],
    denyEmails: ['mallory@example.com'],
    rules: [RULE],
  } as const;
  assert.deepEqual(accessChange(null, share(all))?.after, all);
});

test('accessChange() of long lists tells what differs, stays small, and says how much it leaves out', () => {
  const rules = Array.from({ length: 100 }, (_, index) => named(`${index}`, 60));
  const replaced = rules.map((rule, index) => (index === 42 ? named('new', 60) : rule));
  assert.deepEqual(accessChange(share({ rules }), share({ rules: replaced })), {
    before: { rules: [rules[42]] },
    after: { rules: [replaced[42]] },
    omitted: 198,
  });
  const huge = (text: string) =>
    share({
      oauthEmailAddressPatterns: long(text),
      allowGroups: long(text),
      allowPaths: long(text),
      allowAddresses: long(text),
      denyEmails: long(text),
      rules: [...rules.map((_, index) => named(`${text}${index}`, 600)), named(text, 5_000)],
    });
  const change = accessChange(huge('a'), huge('b'));
  assert.ok(change);
  assert.ok(JSON.stringify(change).length < 50_000);
  const told = [change.before, change.after].flatMap((side) => Object.values(side ?? {}) as unknown[][]);
  const count = told.reduce((sum, list) => sum + list.length, 0);
  assert.ok(told.every((list) => list.length > 0));
  assert.equal(count + change.omitted, 2 * (5 * 100 + 101));
});

function share(settings: Partial<ShareSettings>): ShareSettings {
  return { ...UNSET_SETTINGS, ...settings };
}

function long(text: string): readonly string[] {
  return Array.from({ length: 100 }, (_, index) => `${text}${index}`.padEnd(250, 'x'));
}

function named(name: string, length: number): AccessRuleDocument {
  return { allow: { providers: ['corp'], groups: [name.padEnd(length, 'x')] } };
}

const ANY = { subject: null, unit: null };
