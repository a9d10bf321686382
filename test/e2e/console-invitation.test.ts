// An invitation is accepted in Chromium, with a wire before the control plane that keeps all that the browser
// sends: the secret is in the link's fragment and in the body of what the page posts, and nowhere else.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test, type TestContext } from 'node:test';
import { startShell, type TestChromium } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startWiretap, type Wiretap } from '../support/wiretap.ts';

let service: TestService;
let wire: Wiretap;
let chromium: TestChromium;
let origin = '';
before(async () => {
  service = await startTestService({
    corp: { require_verified_email: true, display_name: 'Corporate login' },
  });
  wire = await startWiretap(service.ports.control);
  origin = `http://127.0.0.1:${wire.port}`;
  const text = await readFile(service.configFile, 'utf8');
  await writeFile(service.configFile, text.replaceAll(`http://127.0.0.1:${service.ports.control}`, origin));
  await service.reload();
  chromium = await startShell(service);
});
after(async () => {
  await chromium.close();
  await wire.close();
  await service.close();
});

const LIMIT = { timeout: 90_000 };

async function visit(t: TestContext, link: string) {
  const { page } = await chromium.visitor(t, { locale: 'en-GB' });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const addresses: string[] = [];
  page.on('request', (request) => {
    const [address = ''] = request.url().split('#');
    addresses.push(address, request.headers()['referer'] ?? '');
  });
  await page.goto(link);
  return { page, faults, addresses };
}

async function logIn({ page }: Awaited<ReturnType<typeof visit>>, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Log in with Corporate login' }).click();
  const field = page.locator('input[name=email], input[name=login]').first();
  await field.fill(email);
  await field.press('Enter');
}

test(
  'a person accepts an invitation in a browser, and no address, Referer or log ever has it (THREATS "Secrets")',
  LIMIT,
  async (t) => {
    const { invitation } = await service.client.members.create({ email: 'ada@example.com' });
    assert.ok(invitation.url.startsWith(`${origin}/auth/invitation#dwi_`));
    const visitor = await visit(t, invitation.url);
    const { page, faults, addresses } = visitor;
    await page.getByRole('button', { name: 'Log in with Corporate login' }).waitFor();
    await page.waitForURL(`${origin}/auth/invitation`);
    await logIn(visitor, 'ada@example.com');
    await page.waitForURL(/\/console\//, WAIT);
    const session = await page.evaluate(`fetch('/auth/session').then((answer) => answer.json())`);
    assert.equal((session as { member: { email: string } }).member.email, 'ada@example.com');
    const sent = wire
      .sent()
      .map((bytes) => bytes.toString('latin1'))
      .join('\n');
    const lines = sent.split(/\r?\n/).filter((line) => line.includes('dwi_'));
    assert.ok(
      lines.length > 0 && lines.every((line) => line.startsWith('{"invitation":"dwi_')),
      String(lines.length),
    );
    assert.doesNotMatch(addresses.join('\n'), /dwi_/);
    assert.doesNotMatch(await readFile(service.logFile, 'utf8'), /dwi_/);
    assert.deepEqual(faults, []);
  },
);

test(
  'a link from before, with the invitation in its query, is accepted in the same way',
  LIMIT,
  async (t) => {
    const { invitation } = await service.client.members.create({ email: 'bob@example.com' });
    const visitor = await visit(t, `${origin}/auth/login?invitation=${invitation.token}`);
    await visitor.page.getByRole('button', { name: 'Log in with Corporate login' }).waitFor();
    await visitor.page.waitForURL(`${origin}/auth/invitation`);
    await logIn(visitor, 'bob@example.com');
    await visitor.page.waitForURL(/\/console\//, WAIT);
    assert.doesNotMatch(await readFile(service.logFile, 'utf8'), new RegExp(invitation.token));
  },
);

test('an invitation that is used, wrong or missing is told plainly', LIMIT, async (t) => {
  const { page, faults } = await visit(t, `${origin}/auth/invitation#dwi_${'a'.repeat(43)}`);
  await page.getByRole('alert').filter({ hasText: 'This invitation is not valid' }).waitFor();
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'This address contains no invitation' }).waitFor();
  assert.deepEqual(faults, []);
});

const WAIT = { timeout: 30_000 } as const;
