// The record of a share's settings: what everything that is made of it relies on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from './duration.ts';
import { NAME_FLAG, SHARE_FLAGS } from './share-flags.ts';
import { DEFAULT_CHECK_INTERVAL_MS } from './share.ts';
import { DEFAULT_CHECK_INTERVAL, SHARE_SETTINGS } from './share-settings.ts';
import { isUnset, keptSettings, SETTINGS, snakeCase, UNSET_SETTINGS } from './share-values.ts';
import { TEXT_SYNTAXES } from './text-syntax.ts';

test('SHARE_SETTINGS: what a setting needs stands before it and may be null; what it contradicts is a setting (2.3)', () => {
  const names: string[] = SETTINGS.map(([name]) => name);
  for (const [index, [name, { needs = [], excludes = [] }]] of SETTINGS.entries()) {
    for (const needed of needs) {
      assert.ok(names.slice(0, index).includes(needed), `${name} needs ${needed}`);
      assert.equal(SHARE_SETTINGS[needed as keyof typeof SHARE_SETTINGS].unset, null, needed);
    }
    for (const other of excludes) assert.ok(names.includes(other), `${name} excludes ${other}`);
  }
});

test('SHARE_SETTINGS: each is unset by default, and its examples mean something', () => {
  for (const [name, setting] of SETTINGS) {
    assert.ok(isUnset(setting, setting.unset), name);
    if (setting.kind === 'text' && setting.syntax !== 'provider')
      TEXT_SYNTAXES[setting.syntax].judge(setting.example);
    if (setting.kind === 'duration') parseDuration(setting.example);
    if (setting.kind === 'choice') assert.ok(Object.hasOwn(setting.choices, setting.unset), name);
    if (setting.kind === 'texts')
      for (const text of setting.example ?? []) TEXT_SYNTAXES[setting.syntax].judge(text);
  }
});

test('SHARE_FLAGS: each flag stands once, and what removes a setting is for a share that is there', () => {
  const written = SHARE_FLAGS.map((flag) => flag.written);
  assert.deepEqual([...new Set([...written, NAME_FLAG])], [...written, NAME_FLAG]);
  for (const { written: flag, flag: about } of SHARE_FLAGS)
    if (flag.startsWith('--no-')) assert.deepEqual(['says' in about, about.on], [true, 'change'], flag);
});

test('the default of the check interval is 3h, written once (2.3, 8)', () => {
  assert.equal(DEFAULT_CHECK_INTERVAL, '3h');
  assert.equal(DEFAULT_CHECK_INTERVAL_MS, 3 * 60 * 60 * 1000);
  assert.equal(SHARE_SETTINGS.oauthCheckInterval.default, DEFAULT_CHECK_INTERVAL);
});

test('keptSettings() takes the settings of whatever has more, and no confirmation', () => {
  assert.deepEqual(
    keptSettings({ ...UNSET_SETTINGS, open: true, id: 'shr_1' } as typeof UNSET_SETTINGS),
    UNSET_SETTINGS,
  );
  assert.deepEqual(Object.keys(UNSET_SETTINGS).map(snakeCase).toSorted(), [
    'access',
    'access_requests',
    'allow_addresses',
    'allow_groups',
    'allow_origins',
    'allow_paths',
    'behind',
    'client_certificate',
    'deny_emails',
    'description',
    'enabled',
    'host_header',
    'icon',
    'identity',
    'listed',
    'oauth_check_interval_ms',
    'oauth_email_address_patterns',
    'oauth_provider',
    'owner',
    'rules',
  ]);
});
