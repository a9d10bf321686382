// A version that knows no rules may serve from the same database: it reads the columns that it knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CERTIFICATE, NOW } from '../../../test/support/rule-facts.ts';
import { FACTS, PROVIDER, SESSION } from '../../../test/support/decision-rows.ts';
import { decide } from '../../domain/decision.ts';
import { type ShareSettings, UNSET_SETTINGS } from '../../domain/share-values.ts';
import { isProviderName } from '../../domain/provider-name.ts';
import { columnsOf, settingsOf } from '../../store/shares/setting-columns.ts';
import { guarded, unguarded } from '../../store/shares/ruled-columns.ts';
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
    assert.deepEqual(settingsOf(unguarded(guarded(settings, columnsOf(settings)))), settings);
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
  assert.deepEqual(settingsOf(unguarded(written as never)), { ...settings, oauthProvider: 'google' });
});

test('a version that knows rules and one provider finds no provider for several, and keeps them all (DESIGN "Rules")', () => {
  const settings: ShareSettings = { ...UNSET_SETTINGS, oauthProvider: ['corp', 'google'] };
  const { ruled } = guarded(settings, columnsOf(settings));
  const { oauth_provider: name } = JSON.parse(ruled ?? '') as { readonly oauth_provider: string };
  assert.equal(isProviderName(name), false);
  // As it writes the share again with another setting changed: it sees no rules.
  const written = { ...columnsOf(settings), oauth_provider: name, ruled: null, rule_providers: null };
  assert.deepEqual(settingsOf(unguarded(written as never)), settings);
});
