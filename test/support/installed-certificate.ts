// A Chromium of its own with a key store installed where it keeps client certificates, as a person installs
// it by hand.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type BrowserContext, chromium } from 'playwright-core';

type KeyStoreFile = { readonly file: Uint8Array; readonly passphrase: string };

/**
 * The folder of a home with the key store in its NSS database; null where NSS cannot be called (Python and
 * its libraries).
 */
export function installKeyStore(t: TestContext, { file, passphrase }: KeyStoreFile): string | null {
  const home = mkdtempSync(join(tmpdir(), 'doorward-home-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const store = join(home, 'data/pki/nssdb');
  mkdirSync(store, { recursive: true, mode: 0o700 });
  // Where older ones look.
  symlinkSync('data/pki', join(home, '.pki'));
  writeFileSync(join(home, 'store.p12'), file);
  const script = join(import.meta.dirname, 'nss-import.py');
  const { status, error, stderr } = spawnSync('python3', [script, store, join(home, 'store.p12')], {
    input: passphrase,
    encoding: 'utf8',
    timeout: IMPORT_LIMIT_MS,
  });
  if (error !== undefined || status === NO_LIBRARIES) return null;
  if (status !== 0) throw new Error(`Cannot import the key store: ${stderr}`);
  return home;
}

/**
 * Closed with the test. At `origin` it shows what is installed without asking, where a person would choose
 * from a list.
 */
export async function openBrowserAt(t: TestContext, home: string, origin: string): Promise<BrowserContext> {
  const profile = join(home, 'profile');
  mkdirSync(join(profile, 'Default'), { recursive: true });
  const always = { [`${origin},*`]: { setting: { filters: [{}] } } };
  const preferences = { profile: { content_settings: { exceptions: { auto_select_certificate: always } } } };
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
    env: {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CONFIG_HOME: join(home, 'config'),
    },
    ignoreHTTPSErrors: true,
  });
  t.after(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

const NO_LIBRARIES = 3;
const IMPORT_LIMIT_MS = 60_000;
const PATIENCE_MS = 20_000;
