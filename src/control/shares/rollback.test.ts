// A version that knows no rules may serve from the same database: it reads the columns that it knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CERTIFICATE, NOW } from '../../../test/support/rule-facts.ts';
import { FACTS, PROVIDER, SESSION } from '../../../test/support/decision-rows.ts';
import { decide } from '../../domain/decision.ts';
import { type ShareSettings, UNSET_SETTINGS } from '../../domain/share-values.ts';
import { isProviderName } from '../../domain/provider-name.ts';
import { columnsOf, settingsOf } from '../../store/shares/setting-columns.ts';
import { guarded, settingsIn } from '../../store/shares/ruled-columns.ts';
import { routedShare } from './view.ts';

const BASE = { scheme: 'https', domain: 'share.example.com', port: 443 } as const;
const ROW = {
  id: 'shr_1',
  accountId: 'acc_1',
  name: 'demo',
  target: 'http://127.0.0.1:3000',
  tunnel: null,
  hosts: [],
  agentSeenAt: null,
  version: 1,
  createdAt: NOW,
  updatedAt: NOW,
} as const;

/** What the version before has of it: the settings of then alone. */
function asBefore(settings: ShareSettings): ShareSettings {
  const { rules, allowGroups, allowPaths, allowAddresses, denyEmails } = UNSET_SETTINGS;
  const read = settingsOf(guarded(settings, columnsOf(settings)));
  return { ...read, rules, allowGroups, allowPaths, allowAddresses, denyEmails };
}

const RULED: readonly Partial<ShareSettings>[] = [
  { rules: [{ allow: { everyone: true, paths: ['/healthz'] } }] },
  { rules: [{ allow: { providers: ['corp'], groups: ['eng'] } }] },
  { oauthProvider: 'corp', rules: [{ deny: { emails: ['ann@corp.com'] } }] },
  { oauthProvider: ['corp', 'google'] },
  { oauthProvider: ['google', 'corp'], clientCertificate: { subject: null, unit: null }, access: 'either' },
  { oauthProvider: 'corp', allowGroups: ['eng'] },
  { oauthProvider: 'corp', denyEmails: ['ann@*'] },
  { allowAddresses: ['10.0.0.0/8'] },
  {
    oauthProvider: 'corp',
    clientCertificate: { subject: null, unit: null },
    access: 'either',
    allowAddresses: ['10.0.0.0/8'],
  },
];

test('a version without rules lets nobody in at a share that has some, or several providers (DESIGN "Rules")', () => {
  for (const settings of RULED) {
    const share = routedShare(
      { ...ROW, ...asBefore({ ...UNSET_SETTINGS, ...settings }) },
      { base: BASE, cookieDomain: 'share.example.com' },
      (name) => (name === 'corp' ? PROVIDER : null),
    );
    for (const session of [null, { ...SESSION, shareId: share.id }])
      for (const certificate of [null, CERTIFICATE]) {
        const { kind } = decide(share, session, { ...FACTS, certificate }, NOW);
        assert.equal(kind, 'refuse', JSON.stringify(settings));
      }
  }
});

test('this version reads each as it was written, and one without rules as ever (DESIGN "Rules")', () => {
  const plain = [{ oauthProvider: 'corp' }, { clientCertificate: { subject: 'a', unit: null } }];
  for (const some of [...RULED, ...plain]) {
    const settings = { ...UNSET_SETTINGS, ...some };
    assert.deepEqual(settingsIn(guarded(settings, columnsOf(settings))), settings);
  }
  for (const some of plain) {
    const settings = { ...UNSET_SETTINGS, ...some };
    assert.deepEqual(guarded(settings, columnsOf(settings)), {
      ...columnsOf(settings),
      ruled: null,
      rule_providers: null,
    });
  }
});

test('what the version before sets holds here, beside the rules (DESIGN "Rules")', () => {
  const settings: ShareSettings = { ...UNSET_SETTINGS, rules: [{ allow: { providers: ['corp'] } }] };
  const written = { ...guarded(settings, columnsOf(settings)), oauth_provider: 'google' };
  assert.deepEqual(settingsIn(written as never), { ...settings, oauthProvider: 'google' });
});

test('a version that knows rules and one provider finds no provider for several, and keeps them all (DESIGN "Rules")', () => {
  const settings: ShareSettings = { ...UNSET_SETTINGS, oauthProvider: ['corp', 'google'] };
  const { ruled } = guarded(settings, columnsOf(settings));
  const { oauth_provider: name } = JSON.parse(ruled ?? '') as { readonly oauth_provider: string };
  assert.equal(isProviderName(name), false);
  // As it writes the share again with another setting changed: it sees no rules.
  const written = { ...columnsOf(settings), oauth_provider: name, ruled: null, rule_providers: null };
  assert.deepEqual(settingsIn(written as never), settings);
});

const ANY = { subject: null, unit: null };

test('a certificate that a version without rules set is asked of everybody, beside the rules (DESIGN "Rules")', () => {
  for (const some of RULED) {
    const settings = { ...UNSET_SETTINGS, ...some };
    for (const access of ['all', 'either'] as const) {
      const columns = { ...guarded(settings, columnsOf(settings)), access };
      const read = settingsIn({ ...columns, client_certificate: JSON.stringify(ANY) } as never);
      const was = settingsIn(columns as never);
      for (const session of [null, { ...SESSION, shareId: ROW.id }])
        for (const certificate of [null, CERTIFICATE]) {
          const kindOf = (of: ShareSettings) =>
            decide(routed(of), session, { ...FACTS, certificate }, NOW).kind;
          const now = kindOf(read);
          const text = JSON.stringify([some, access, session !== null, certificate !== null]);
          if (certificate === null) assert.notEqual(now, 'forward', text);
          else if (kindOf(was) !== 'forward') assert.notEqual(now, 'forward', text);
        }
    }
  }
});

test('a certificate that rules had beside a login is asked for, whatever login a version without rules set (DESIGN "Rules")', () => {
  const settings: ShareSettings = {
    ...UNSET_SETTINGS,
    oauthProvider: 'corp',
    clientCertificate: ANY,
    denyEmails: ['mallory@*'],
  };
  const columns = guarded(settings, columnsOf(settings));
  const read = (changes: object) => settingsIn({ ...columns, ...changes } as never);
  assert.deepEqual(read({ oauth_provider: 'google' }), { ...settings, oauthProvider: 'google' });
  assert.deepEqual(read({ oauth_provider: null }), { ...settings, oauthProvider: null });
  const own = { subject: 'build-*', unit: null };
  const set = { oauth_provider: 'google', client_certificate: JSON.stringify(own) };
  assert.deepEqual(read(set).clientCertificate, own);
  // Beside rules that allow, or where either was enough, it would let in more.
  const ruled = { oauth_provider: null, rules: JSON.stringify([{ allow: { tokens: ['ci'] } }]) };
  assert.equal(read(ruled).clientCertificate, null);
  assert.equal(read({ oauth_provider: 'google', access: 'either' }).clientCertificate, null);
});

function routed(settings: ShareSettings) {
  return routedShare({ ...ROW, ...settings }, { base: BASE, cookieDomain: 'share.example.com' }, (name) =>
    name === 'corp' ? PROVIDER : null,
  );
}
