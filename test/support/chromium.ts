// A real browser for tests: Debian's Chromium, one process a file, a fresh profile a test. Certificates of
// the service under test are trusted by their keys, so that over TLS everything else about them is still the
// browser's to refuse.
//
// What a page shows and does is tested in Chromium's headless shell: the same engine, without the browser
// around it, for two thirds of the CPU. Attacks, and what a browser keeps, sends and opens by itself, are
// tested in the whole browser.

import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import type { TestService } from './service.ts';

export type TestChromium = {
  /** A profile of its own with one tab, closed with the test. */
  readonly visitor: (t: TestContext, options?: BrowserContextOptions) => Promise<Visitor>;
  /** A profile without a tab, for several tests; closed with the browser. */
  readonly profile: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  readonly close: () => Promise<void>;
};

export type Visitor = { readonly profile: BrowserContext; readonly page: Page };

/** What of a service is needed to trust it; `ca` is null over plain HTTP. */
export type Trusted = Pick<TestService, 'ca' | 'folder'>;

export function startChromium(service: Trusted, switches: readonly string[] = []): Promise<TestChromium> {
  return start(CHROMIUM, { service, switches });
}

/** For pages alone. Where the shell is not installed, this is the whole browser. */
export function startShell(service: Trusted, switches: readonly string[] = []): Promise<TestChromium> {
  return start(existsSync(SHELL) ? SHELL : CHROMIUM, { service, switches });
}

async function start(
  executablePath: string,
  { service, switches }: { readonly service: Trusted; readonly switches: readonly string[] },
): Promise<TestChromium> {
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [...ARGUMENTS, ...switches, ...(await trustedKeys(service))],
  });
  const openProfile = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const profile = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options });
    profile.setDefaultTimeout(PATIENCE_MS);
    return profile;
  };
  return {
    async visitor(t, options) {
      const profile = await openProfile(options);
      t.after(() => profile.close());
      return { profile, page: await profile.newPage() };
    },
    profile: openProfile,
    close: () => browser.close(),
  };
}

/** Fills in the provider's login page, to which this tab is being sent. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('button#login').click();
}

/** Opens an address, logs in on the way, and comes back to exactly that address. */
export async function openLoggedIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(url);
  await logIn(page, email);
  await page.waitForURL(url);
}

/** What the button copies, which is there a moment after the click. */
export async function copiedBy(button: Locator): Promise<string> {
  const page = button.page();
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await button.click();
  let text = '';
  await until('it is copied', async () => {
    text = await page.evaluate<string>('navigator.clipboard.readText()');
    return text !== '';
  });
  return text;
}

/** Waits for something outside the browser, such as a request that reaches a backend. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Cannot go on: waited ${PATIENCE_MS} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

export async function trustedKeys(service: Trusted): Promise<readonly string[]> {
  if (service.ca === null) return [];
  const { publicKey } = new X509Certificate(await readFile(join(service.folder, 'server.pem')));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(spki).digest('base64');
  return [`--ignore-certificate-errors-spki-list=${hash}`];
}

const CHROMIUM = '/usr/bin/chromium';
/** The program itself: the command of this name is a script that would stay in between. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell';
/** Root needs no sandbox; the rest keeps the browser from calling anybody but the service. */
export const ARGUMENTS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];
/** Far longer than anything takes on a busy machine, so that only what never happens fails. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 20;
