// The rules of a share in the console: built by keyboard alone, tested while they are typed, as text and as a
// form, with errors where they belong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import type { AccessRuleDocument } from '../../src/domain/access-rule.ts';
import { copiedBy, until } from '../support/chromium.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  // Rules that ask for certificates need a gateway that ends TLS.
  site = await startConsole({ tls: true });
  await site.service.client.providers.create({
    name: 'google',
    type: 'GOOGLE',
    config: { clientId: 'c', clientSecret: 's' },
  });
});
after(() => site.close());

const OFFICE: readonly AccessRuleDocument[] = [
  { allow: { addresses: ['198.51.100.0/24'], providers: ['corp'], groups: ['eng-*'] } },
  { allow: { until: '2027-03-31', providers: ['google'], emails: ['*@partner.example'] } },
  { allow: { everyone: true, paths: ['/healthz'] } },
  { deny: { emails: ['mallory@example.com'] } },
];

test('by keyboard alone: engineering from the office, partners by Google until March, health check open, mallory denied', async (t) => {
  const { client } = site.service;
  await site.service.share('built');
  const { open, page, accessible, noTrouble } = await site.tab(t);
  const keys = page.keyboard;
  await open('/shares/built');
  await reach(page, page.getByRole('button', { name: 'Edit: Who gets in' }));
  await keys.press('Enter');
  await reach(page, page.getByRole('group', { name: 'Log in with' }).getByRole('checkbox', { name: 'corp' }));
  await keys.press('Space');
  const rules = page.getByRole('group', { name: 'Rules', exact: true });
  await reach(page, rules.getByRole('button', { name: 'Add rule' }));
  await keys.press('Enter');
  const one = page.getByRole('group', { name: 'Rule 1' });
  // What is to be filled in first has the focus.
  await hasFocus(one.getByRole('checkbox', { name: 'corp' }));
  await keys.press('Space');
  await choose(page, one, 'Groups');
  await keys.type('eng-*');
  await choose(page, one, 'IP addresses');
  await keys.type('198.51.100.0/24');

  await reach(page, rules.getByRole('button', { name: 'Add rule' }));
  await keys.press('Enter');
  const two = page.getByRole('group', { name: 'Rule 2' });
  await reach(page, two.getByRole('checkbox', { name: 'Google' }));
  await keys.press('Space');
  await choose(page, two, 'Email addresses');
  await keys.type('*@partner.example');
  await choose(page, two, 'Until');
  await keys.type('03312027');
  await page.getByText('until 31 March 2027, UTC').waitFor();

  await reach(page, rules.getByRole('button', { name: 'Add deny rule' }));
  await keys.press('Enter');
  await hasFocus(
    page.getByRole('group', { name: 'Rule 3' }).getByRole('textbox', { name: 'Email addresses' }),
  );
  await keys.type('mallory@example.com');

  await reach(page, rules.getByRole('button', { name: 'Add rule' }));
  await keys.press('Enter');
  const open4 = page.getByRole('group', { name: 'Rule 4' });
  // The condition that it began with is not wanted here.
  await reach(page, open4.getByRole('button', { name: 'Remove Providers' }));
  await keys.press('Enter');
  await hasFocus(open4.getByRole('button', { name: 'Add condition' }));
  await choose(page, open4, 'Everyone');
  await choose(page, open4, 'Paths');
  await keys.type('/healthz');
  await accessible();
  // The focus goes with the rule that is moved.
  await reach(page, rules.getByRole('button', { name: 'Move rule 4 up' }), 'Shift+Tab');
  await keys.press('Enter');
  await hasFocus(rules.getByRole('button', { name: 'Move rule 3 up' }));
  await page.getByText('Rule 4 is rule 3 now').waitFor();
  await reach(page, page.getByRole('button', { name: 'Save' }));
  await keys.press('Enter');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  const { oauthProvider, rules: saved } = await client.shares.show('built');
  assert.deepEqual([oauthProvider, saved], [null, OFFICE]);
  assert.deepEqual(
    await page
      .getByRole('listitem')
      .filter({ hasText: /^(?:Let in|Deny):/ })
      .allInnerTexts(),
    [
      'Let in: group eng-*, logged in with corp, from 198.51.100.0/24',
      'Let in: *@partner.example, logged in with Google, until 31 March 2027, UTC',
      'Let in: everyone at /healthz',
      'Deny: mallory@example.com',
    ],
  );
  noTrouble();
});

test('every condition is written as the API takes it, and changed back from what the API answers', async (t) => {
  const { client } = site.service;
  const rules: readonly AccessRuleDocument[] = [
    {
      allow: {
        until: '2030-01-31T18:00:00Z',
        methods: ['GET', 'PROPFIND'],
        outside: ['192.0.2.0/24'],
        certificate: { subject: 'build-*', unit: null },
        providers: ['corp'],
        claims: { dept: ['search'] },
        acr: ['phr'],
        max_age: '12h',
      },
    },
    { allow: { tokens: ['deploy-*'] } },
  ];
  await client.shares.create({ name: 'every', target: site.service.backend.url, rules });
  const { open, page, noTrouble } = await site.tab(t);
  await open('/shares/every');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  const rule = page.getByRole('group', { name: 'Rule 1' });
  const value = (label: string) => rule.getByLabel(label, { exact: true }).inputValue();
  assert.deepEqual(
    await Promise.all(
      ['Last day', 'Time', 'Time zone', 'Claim', 'Common name', 'Age of the login'].map(value),
    ),
    ['2030-01-31', '18:00', 'Z', 'dept', 'build-*', '12h'],
  );
  await rule.getByRole('checkbox', { name: 'PROPFIND' }).uncheck();
  await rule.getByRole('checkbox', { name: 'POST' }).check();
  await rule.getByLabel('Time', { exact: true }).fill('09:30');
  await rule.getByRole('button', { name: 'Add claim' }).click();
  await rule.getByLabel('Claim', { exact: true }).nth(1).fill('site');
  await rule.getByLabel('Values, one per line').nth(1).fill('Berlin HQ\nParis');
  await rule.getByLabel('Organizational unit').fill('CI');
  await rule.getByRole('textbox', { name: 'Age of the login' }).fill('1h30m');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  const [first, second] = (await client.shares.show('every')).rules;
  assert.deepEqual(first, {
    allow: {
      until: '2030-01-31T09:30:00Z',
      methods: ['GET', 'POST'],
      outside: ['192.0.2.0/24'],
      certificate: { subject: 'build-*', unit: 'CI' },
      providers: ['corp'],
      claims: { dept: ['search'], site: ['Berlin HQ', 'Paris'] },
      acr: ['phr'],
      max_age: '1h30m',
    },
  });
  assert.deepEqual(second, rules[1]);
  noTrouble();
});

test('the tester answers for the rules as typed, gives the older question up, and nothing is stored', async (t) => {
  const { client } = site.service;
  await client.shares.create({ name: 'typed', target: site.service.backend.url, rules: OFFICE });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/typed?email=eve%40partner.example&provider=google&path=%2F');
  await page.getByText('eve@partner.example would get in.').waitFor();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit rule 2' }).click();
  const emails = page
    .getByRole('group', { name: 'Rule 2' })
    .getByRole('textbox', { name: 'Email addresses' });
  await emails.fill('ann@partner.example');
  await page.getByText('eve@partner.example would not get in.').waitFor();
  // Beside the form, and in sight.
  const tester = page.getByRole('region', { name: 'Would this address get in?' });
  const [left, right] = [await emails.boundingBox(), await tester.boundingBox()];
  assert.ok(left !== null && right !== null && right.x >= left.x + left.width, JSON.stringify(right));
  assert.ok(right.y >= 0 && right.y < left.y + left.height, JSON.stringify([left, right]));
  // Facts are asked as they are typed, too.
  await page.getByLabel('Email address', { exact: true }).fill('ann@partner.example');
  await page.getByText('ann@partner.example would get in.').waitFor();
  await accessible();

  // A question that is still open when another one is typed is given up; its answer changes nothing.
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<Request>();
  await page.route(/\/test$/, async (route) => {
    if (!(route.request().postData() ?? '').includes('nobody@')) return route.continue();
    asked.resolve(route.request());
    await held.promise;
    // The page has given it up by then.
    return route.fulfill({ status: 500 }).catch(() => undefined);
  });
  await emails.fill('nobody@partner.example');
  const older = await asked.promise;
  const failed = page.waitForEvent('requestfailed', {
    predicate: (request) => request === older,
    timeout: SOONER_THAN_ITS_LIMIT_MS,
  });
  await emails.fill('*@partner.example');
  assert.match((await failed).failure()?.errorText ?? '', /ABORTED/);
  await page.locator('[data-old=false]').getByText('ann@partner.example would get in.').waitFor();
  held.resolve();

  // What is half typed is no error of the page.
  await emails.fill('');
  await page.getByText('Not tested yet. Rule 2, emails: It is empty.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await emails.fill('ann@elsewhere.example');
  await page.getByText('ann@partner.example would not get in.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('ann@partner.example would get in.').waitFor();
  assert.deepEqual((await client.shares.show('typed')).rules, OFFICE);
  noTrouble();
});

test('an error stands at its rule and field, goes with the rule, and nothing that was typed is lost', async (t) => {
  const { client } = site.service;
  await client.shares.create({ name: 'faulty', target: site.service.backend.url, rules: OFFICE });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/faulty');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit rule 3' }).click();
  const paths = page.getByRole('group', { name: 'Rule 3' }).getByRole('textbox', { name: 'Paths' });
  await paths.fill('/healthz\n/a/../b');
  await page.getByRole('button', { name: 'Close rule 3' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  // The rule is open again, and its field is marked.
  await page.getByRole('group', { name: 'Rule 3' }).getByText('Path: "/a/../b"').waitFor();
  assert.equal(await paths.getAttribute('aria-invalid'), 'true');
  assert.equal(await paths.inputValue(), '/healthz\n/a/../b');
  await accessible();
  await page.getByRole('button', { name: 'Move rule 3 up' }).click();
  const moved = page.getByRole('group', { name: 'Rule 2' }).getByRole('textbox', { name: 'Paths' });
  assert.equal(await moved.getAttribute('aria-invalid'), 'true');
  await page.getByRole('button', { name: 'Move rule 2 down' }).click();
  // Escape closes the menu alone, and the focus is where it was opened.
  const menu = page.getByRole('group', { name: 'Rule 3' }).getByRole('button', { name: 'Add condition' });
  await menu.click();
  await page.getByRole('button', { name: 'Methods', exact: true }).focus();
  await page.keyboard.press('Escape');
  await hasFocus(menu);
  assert.equal(await menu.getAttribute('aria-expanded'), 'false');
  // A rule that is removed by mistake comes back where it was.
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByText('Removed:').waitFor();
  await hasFocus(page.getByRole('button', { name: 'Undo' }));
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('button', { name: 'Edit rule 1' }));
  await paths.fill('/healthz\n/b/*');
  // Rules that let nobody in are refused as a whole.
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  assert.deepEqual((await client.shares.show('faulty')).rules, [
    ...OFFICE.slice(0, 2),
    { allow: { everyone: true, paths: ['/healthz', '/b/*'] } },
    ...OFFICE.slice(3),
  ]);
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  for (let left = 3; left > 0; left--) await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No rule allows anybody: add an allow.').waitFor();
  noTrouble();
});

test('as text: what is copied is what --rule-file takes, what is pasted is the form, and neither loses anything', async (t) => {
  const { client } = site.service;
  await client.shares.create({ name: 'written', target: site.service.backend.url, rules: OFFICE });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/written');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit as text' }).click();
  const text = page.getByLabel('Rules as text');
  await text.waitFor();
  const copied = await copiedBy(page.getByRole('button', { name: 'Copy the rules' }));
  assert.equal(copied, await text.inputValue());
  assert.match(copied, /^ {2}- deny: \{ emails: \[ mallory@example\.com \] \}$/m);
  await accessible();
  // As a form and as text again: the same.
  await page.getByRole('button', { name: 'Edit as form' }).click();
  await page.getByText('Let in: everyone at /healthz').waitFor();
  await page.getByRole('button', { name: 'Edit as text' }).click();
  assert.equal(await text.inputValue(), copied);

  // What cannot be read is neither sent nor lost.
  await text.fill('access:\n  - allow: { providers: [corp], paths: /x }\n');
  await page.getByText('Cannot use rules: rule 1, paths: it is not a list.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit as form' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Save' }).click();
  await hasFocus(text);
  assert.deepEqual((await client.shares.show('written')).rules, OFFICE);
  const recipe =
    "access:\n  - allow: { providers: [corp], paths: [/, '/app/*'] }\n  - deny: { methods: [TRACE] }\n";
  await text.fill(recipe);
  await page.getByRole('button', { name: 'Edit as form' }).click();
  await page.getByText('Let in: everybody logged in with corp, at / or /app/*').waitFor();
  await page.getByText('Deny: everyone by TRACE').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  const rules = [
    { allow: { paths: ['/', '/app/*'], providers: ['corp'] } },
    { deny: { methods: ['TRACE'] } },
  ];
  assert.deepEqual((await client.shares.show('written')).rules, rules);
  // JSON is taken as well.
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit as text' }).click();
  await text.fill(JSON.stringify(OFFICE));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  assert.deepEqual((await client.shares.show('written')).rules, OFFICE);
  noTrouble();
});

test('a share is made with rules, and a login without a limit beside them is warned of', async (t) => {
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/+new');
  await page.getByLabel('Name', { exact: true }).fill('made-by-rules');
  await page.getByLabel('Target').fill(site.service.backend.url);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('group', { name: 'Rule 1' }).getByRole('checkbox', { name: 'Google' }).check();
  await page.getByText(/in addition to those whom the rules let in/).waitFor();
  await page.getByRole('group', { name: 'Log in with' }).getByRole('checkbox', { checked: true }).uncheck();
  // Rules protect it: nobody is asked whether everyone may open it.
  assert.equal(await page.getByRole('checkbox', { name: 'Everyone may open this share' }).count(), 0);
  await accessible();
  await page.getByRole('button', { name: 'Create share' }).click();
  await page.getByRole('heading', { name: 'made-by-rules', level: 1 }).waitFor();
  const { oauthProvider, rules } = await site.service.client.shares.show('made-by-rules');
  assert.deepEqual([oauthProvider, rules], [null, [{ allow: { providers: ['google'] } }]]);
  noTrouble();
});

test('several providers of a login are chosen by display name, and one of them is taken away again', async (t) => {
  const { client } = site.service;
  await site.service.share('several');
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/several');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  const logIn = page.getByRole('group', { name: 'Log in with' });
  await logIn.getByRole('checkbox', { name: 'Google' }).check();
  await page.getByText('Everyone who has an account at corp or Google gets in.').waitFor();
  await accessible();
  await accessible({ only: ['target-size'] });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Google' }).waitFor();
  assert.deepEqual((await client.shares.show('several')).oauthProvider, ['corp', 'google']);
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await logIn.getByRole('checkbox', { name: 'corp' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  assert.equal((await client.shares.show('several')).oauthProvider, 'google');
  noTrouble();
});

test('a rule that lets in everyone, whatever they ask for, is confirmed as an open share is', async (t) => {
  const { client } = site.service;
  await client.shares.create({ name: 'opened', target: site.service.backend.url, rules: OFFICE });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/opened');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit rule 3' }).click();
  const meant = page.getByRole('checkbox', { name: 'Everyone may open this share' });
  assert.equal(await meant.count(), 0);
  await page.getByRole('button', { name: 'Remove Paths' }).click();
  await meant.waitFor();
  await page.getByText('Open to everyone.').waitFor();
  await accessible();
  // Without the word it is not sent.
  await page.getByRole('button', { name: 'Save' }).click();
  await hasFocus(meant);
  assert.deepEqual((await client.shares.show('opened')).rules, OFFICE);
  await meant.check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  const { rules, open: isOpen } = await client.shares.show('opened');
  assert.deepEqual([rules[2], isOpen], [{ allow: { everyone: true } }, true]);
  noTrouble();
});

test('the editor on a phone of 320 px, dark, in forced colors: nothing sticks out, and axe finds nothing', async (t) => {
  await site.service.client.shares.create({
    name: 'small',
    target: site.service.backend.url,
    rules: [
      {
        allow: {
          providers: ['corp'],
          groups: ['eng-*'],
          claims: { dept: ['a'] },
          until: '2030-01-31T18:00:00Z',
        },
      },
      { allow: { certificate: { subject: `${'long-'.repeat(12)}*`, unit: null }, methods: ['GET'] } },
    ],
  });
  const { open, page, accessible, noTrouble } = await site.tab(t, { viewport: { width: 320, height: 800 } });
  await open('/shares/small');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  for (const rule of [1, 2]) await page.getByRole('button', { name: `Edit rule ${rule}` }).click();
  await page.getByRole('button', { name: 'Add condition' }).first().click();
  for (const media of [
    { colorScheme: 'light', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'none' },
    { colorScheme: 'light', forcedColors: 'active' },
  ] as const) {
    await page.emulateMedia(media);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    await accessible();
    await accessible({ only: ['target-size'] });
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.getByRole('button', { name: 'Edit as text' }).click();
  await page.getByLabel('Rules as text').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await accessible();
  noTrouble();
});

test('a member who may not list providers chooses them in a rule by display name all the same', async (t) => {
  await site.service.client.shares.create({
    name: 'by-member',
    target: site.service.backend.url,
    rules: [{ allow: { providers: ['corp'] } }],
  });
  const { open, page, noTrouble } = await site.tab(t, { as: 'member' });
  await open('/shares/by-member');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  const providers = page.getByRole('group', { name: 'Rule 1' }).getByRole('group', { name: 'Providers' });
  await providers.getByRole('checkbox', { name: 'Google' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Let in: everybody logged in with corp or Google').waitFor();
  noTrouble();
});

/** By Tab alone. */
async function reach(page: Page, aim: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await aim.waitFor();
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await isFocused(aim)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${String(aim)} is reached within ${MOST_STOPS} stops`);
}

/** From the menu of the rule; its field has the focus then. */
async function choose(page: Page, rule: Locator, condition: string): Promise<void> {
  await reach(page, rule.getByRole('button', { name: 'Add condition' }));
  await page.keyboard.press('Enter');
  await reach(page, rule.getByRole('button', { name: condition, exact: true }));
  await page.keyboard.press('Enter');
  await until(
    `the focus is at ${condition}`,
    async () => (await rule.locator('.condition :focus').count()) > 0,
  );
}

async function hasFocus(aim: Locator): Promise<void> {
  await until(`${String(aim)} has the focus`, () => isFocused(aim));
}

async function isFocused(aim: Locator): Promise<boolean> {
  return (await aim.and(aim.page().locator(':focus')).count()) > 0;
}

const MOST_STOPS = 80;
/** A call ends by itself after 30 s. */
const SOONER_THAN_ITS_LIMIT_MS = 20_000;
