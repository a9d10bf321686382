// The chooser in Chromium: a share that several providers can let into asks which, by names and icons, for
// people with a keyboard, a screen reader, a phone or a dark room; without script. Set SCREENSHOTS to a
// folder to look at it.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/axe.ts';
import { logIn, startChromium, type TestChromium } from '../support/chromium.ts';
import { startOidcProvider, type OidcProviderStandIn } from '../support/providers/oidc-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';

const EMAIL = 'ada@example.com';
const CORP = 'Acme Corporation';
const PARTNER = 'Partners of Acme with a name that takes more than one line';
const EITHER = { oauthProvider: null, rules: [{ allow: { providers: ['corp', 'partner'] } }] };
let partner: OidcProviderStandIn;
let service: TestService;
let chromium: TestChromium;

before(async () => {
  service = await startTestService({
    tls: true,
    outboundAllow: ['127.0.0.1', 'localhost'],
    corp: { display_name: CORP, icon: 'building' },
  });
  const client = { clientId: 'doorward', clientSecret: 'the secret of a partner' };
  const redirectUris = [`${service.endpointUrl}/partner/auth/callback`];
  partner = await startOidcProvider({ clients: [{ ...client, redirectUris }] });
  await service.client.providers.create({
    name: 'partner',
    type: 'OIDC',
    config: {
      ...client,
      issuerUrl: partner.issuer,
      scopes: ['openid', 'email'],
      displayName: PARTNER,
    },
  });
  chromium = await startChromium(service);
});
after(async () => {
  await chromium.close();
  await service.close();
  await partner.close();
});

test('the chooser lets somebody in by the keyboard alone, and puts the last one first', async (t) => {
  const { url } = await service.share('several', EITHER);
  const { page } = await chromium.visitor(t);
  await page.goto(`${url}/page?q=1`);
  assert.deepEqual(await namesOn(page), [CORP, PARTNER]);
  assert.equal(await page.evaluate('document.scripts.length'), 0);
  assert.equal(await focused(page), CORP);
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), PARTNER);
  await page.keyboard.press('Enter');
  await page.waitForURL((next) => next.origin === partner.issuer);
  await logIn(page, EMAIL);
  await page.waitForURL(`${url}/page?q=1`);

  const other = await service.share('several-more', EITHER);
  await page.goto(other.url);
  assert.deepEqual(await namesOn(page), [`${PARTNER} last used`, CORP]);
  assert.equal(await focused(page), `${PARTNER} last used`);
  await page.keyboard.press('Enter');
  await page.waitForURL(
    (next) => next.origin === partner.issuer || next.origin === new URL(other.url).origin,
  );
  if (page.url().startsWith(partner.issuer)) await logIn(page, EMAIL);
  await page.waitForURL(`${other.url}/`);
});

test('the chooser is accessible, and fits a phone, in light and dark', async (t) => {
  const { url } = await service.share('looks', EITHER);
  const { page, profile } = await chromium.visitor(t);
  const faults: string[] = [];
  profile.on('console', (message) => faults.push(message.text()));
  await page.goto(url);
  await page.getByRole('heading', { name: 'Choose how to log in', exact: true }).waitFor();
  assert.ok(await page.getByRole('navigation', { name: 'Ways to log in' }).isVisible());
  for (const [device, viewport] of Object.entries(DEVICES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.equal(await page.evaluate(OVERFLOW), 0, `scrolls sideways on a ${device}`);
      await keep(page, `chooser-${device}-${colorScheme}.png`);
      await assertAccessible(page);
    }
  assert.deepEqual(faults, []);
});

test('whoever one provider does not bring in is led to the others from the page that says so', async (t) => {
  const { url } = await service.share('partners', {
    oauthProvider: null,
    rules: [
      { allow: { providers: ['corp'], emails: ['*@acme.example'] } },
      { allow: { providers: ['partner'] } },
    ],
  });
  const { page } = await chromium.visitor(t);
  await page.goto(url);
  await page.getByRole('link', { name: CORP }).click();
  await logIn(page, EMAIL);
  await page.getByRole('heading', { name: 'This email address does not have access' }).waitFor();
  await keep(page, 'chooser-refused.png');
  await page.getByRole('link', { name: 'Log in with another provider' }).click();
  await page.waitForURL((next) => next.origin === partner.issuer);
  await logIn(page, EMAIL);
  await page.waitForURL(`${url}/`);
});

test('one provider asks nobody to choose (contract 3)', async (t) => {
  const { url } = await service.share('one');
  const { page } = await chromium.visitor(t);
  await page.goto(url);
  await page.waitForURL((next) => next.origin === service.idp.issuer);
});

/** As a screen reader says them. */
async function namesOn(page: Page): Promise<readonly string[]> {
  const links = page.getByRole('navigation', { name: 'Ways to log in' }).getByRole('link');
  await links.first().waitFor();
  return (await links.allInnerTexts()).map(nameOf);
}

async function focused(page: Page): Promise<string> {
  return nameOf(await page.evaluate<string>('document.activeElement.innerText'));
}

/** Without the sign, which is decoration. */
function nameOf(text: string): string {
  return text.trim().replace(/^.\n/, '').replaceAll('\n', ' ');
}

async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), await page.screenshot());
}

const DEVICES = { desktop: { width: 1200, height: 800 }, phone: { width: 320, height: 568 } } as const;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
