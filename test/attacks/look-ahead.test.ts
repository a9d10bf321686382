// THREATS "Sibling shares": a page may have any address fetched ahead, and Chromium says to that what it says
// to a typed address (`Sec-Fetch-Site: none`). Nobody's login at the console is swapped by it; and with a
// login to lose, not by a link in a message either. In Chromium over TLS, with the console below the share
// domain and a provider that logs in without a click.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { logIn, startChromium, until, type TestChromium } from '../support/chromium.ts';
import { startSameSiteProvider, type SameSiteProvider } from '../support/providers/same-site-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

const ADMIN = 'admin@acme.test';
const EVE = 'eve@example.com';

let provider: SameSiteProvider;
let service: TestService;
let chromium: TestChromium;
let sibling: SiteBackend;
let evil: string;
let control: string;
before(async () => {
  provider = await startSameSiteProvider('same', EVE);
  service = await startTestService({
    tls: true,
    corp: { require_verified_email: true },
    providers: (endpointUrl) => [provider.entry(endpointUrl)],
    sections: ({ gateway }) => {
      control = `https://control.share.localhost:${gateway}`;
      return { control: { public_url: control } };
    },
  });
  sibling = await startSite('sibling');
  chromium = await startChromium(service);
  await service.share('id', { target: provider.standIn.issuer, oauthProvider: null });
  ({ url: evil } = await service.share('evil', { target: sibling.url, oauthProvider: null }));
  await service.client.members.create({ email: EVE });
});
after(async () => {
  await chromium.close();
  await service.close();
  await Promise.all([provider.close(), sibling.close()]);
});

for (const rule of ['prefetch', 'prerender'] as const)
  test(`a sibling’s page that has a login ${rule}ed leaves the administrator logged in as they are (Sec-Purpose)`, async (t) => {
    const { page, profile } = await chromium.visitor(t);
    await logInToConsole(page);
    const own = await profile.cookies(control);
    const link = `${control}/auth/login?provider=same`;
    sibling.pages.set(`/${rule}`, {
      body: `<!doctype html><script type="speculationrules">${JSON.stringify({
        [rule]: [{ source: 'list', urls: [link], eagerness: 'immediate' }],
      })}</script>`,
    });
    const refused = await refusals('/auth/login');
    const begun = provider.standIn.counts.tokens;
    await page.goto(`${evil}/${rule}`);
    await until('the browser to look ahead', async () => (await refusals('/auth/login')) > refused);
    await page.goto(`${evil}/later`);
    assert.deepEqual(await profile.cookies(control), own);
    assert.equal(provider.standIn.counts.tokens, begun, 'no login was completed');
    assert.equal(await whoIs(page), ADMIN);
  });

test('an address that no page led to asks before it swaps a login, and then does', async (t) => {
  const { page } = await chromium.visitor(t);
  await logInToConsole(page);
  await page.goto(`${control}/auth/login?provider=same`);
  await page.getByText('This browser is already logged in.').waitFor();
  assert.equal(await whoIs(page), ADMIN);
  await page.goto(`${control}/auth/login?provider=same`);
  await page.getByRole('link', { name: 'same' }).click();
  await page.waitForURL(`${control}/console/**`);
  assert.equal(await whoIs(page), EVE);
});

async function logInToConsole(page: Page): Promise<void> {
  await page.goto(`${control}/auth/login?provider=corp`);
  await logIn(page, ADMIN);
  await page.waitForURL(`${control}/console/**`);
  assert.equal(await whoIs(page), ADMIN);
}

async function whoIs(page: Page): Promise<unknown> {
  await page.goto(`${control}/console/`);
  const session = await page.evaluate(`fetch('/auth/session').then((answer) => answer.json())`);
  return (session as { member: { email: string } }).member.email;
}

/** How often the path was refused, by the log. */
async function refusals(path: string): Promise<number> {
  const lines = (await readFile(service.logFile, 'utf8')).split('\n');
  return lines.filter((line) => line.includes(`"path":"${path}"`) && line.includes('"status":403')).length;
}
