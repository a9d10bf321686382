import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  codeOf,
  createLoginRig,
  header,
  logIn,
  type LoginRig,
  setCookies,
} from '../../test/support/login-rig.ts';
import { PROVIDER_ICONS } from '../domain/provider-icon.ts';
import type { Answer } from '../http/answer.ts';
import { openLoginRequest } from './login-request.ts';

const ADA = 'ada@example.com';

describe('choose()', () => {
  test('shows the providers that were sealed, by display name and icon, the first with the focus', async () => {
    await using rig = await createLoginRig();
    rig.provider('corp').appearance = { displayName: 'Corporate login', icon: 'building' };
    const share = await rig.addShare({ others: ['other'] });
    const page = await rig.browser().get(rig.chooserUrl(share));
    assert.equal(page.status, 200);
    assert.equal(header(page, 'cache-control'), 'no-store');
    assert.deepEqual(setCookies(page), []);
    assert.deepEqual(labels(page), ['Corporate login', 'other']);
    const [first, second] = items(page);
    assert.match(first!, /autofocus/);
    assert.match(first!, /<svg/);
    assert.doesNotMatch(second!, /autofocus/);
    assert.match(second!, /aria-hidden="true">O<\/span>/);
    assert.match(String(page.body), new RegExp(`Log in to open ${share.hosts[0]}`));
  });

  test('each link starts a login for the share and address that were sealed, no longer than they are', async () => {
    await using rig = await createLoginRig();
    const share = await rig.addShare({ others: ['other'] });
    const expiresAt = rig.clock.now + 1000;
    const page = await rig.browser().get(rig.chooserUrl(share, { expiresAt, selectAccount: true }));
    const wanted = links(page).map((link) => openedRequest(rig, link));
    assert.deepEqual(
      wanted.map((each) => each?.providerName),
      ['corp', 'other'],
    );
    for (const each of wanted) {
      assert.equal(each?.expiresAt, expiresAt);
      assert.equal(each?.returnUrl, `https://${share.hosts[0]}/page?q=1&r=a%20b`);
      assert.equal(each?.selectAccount, true);
    }
    const started = await rig.browser().get(links(page)[1]!);
    assert.match(header(started, 'location') ?? '', /^https:\/\/other\.idp\.example\//);
  });

  test('shows only those that were sealed, and that the share still has', async () => {
    await using rig = await createLoginRig();
    const both = await rig.addShare({ others: ['other'] });
    const one = await rig.browser().get(rig.chooserUrl(both, { providerNames: ['other'] }));
    assert.equal(one.status, 302);
    assert.equal(openedRequest(rig, header(one, 'location')!)?.providerName, 'other');
    rig.changeShare(both.id, (share) => ({ ...share, login: { ...share.login!, named: ['corp'] } }));
    const left = await rig.browser().get(rig.chooserUrl(both));
    assert.equal(openedRequest(rig, header(left, 'location')!)?.providerName, 'corp');
    const gone = await rig.browser().get(rig.chooserUrl(both, { providerNames: ['other'] }));
    assert.equal(gone.status, 400);
    assert.equal(codeOf(gone), 'request_expired');
  });

  test('a provider that cannot be used takes no other along', async () => {
    await using rig: LoginRig = await createLoginRig({
      provider: (name) => {
        if (name === 'corp') throw new Error('its secret cannot be opened');
        return rig.provider(name);
      },
    });
    const share = await rig.addShare({ others: ['other'] });
    const answer = await rig.browser().get(rig.chooserUrl(share));
    assert.equal(answer.status, 302);
    assert.equal(openedRequest(rig, header(answer, 'location')!)?.providerName, 'other');
  });

  test('more names than fit mean all that the share has', async () => {
    await using rig = await createLoginRig();
    const share = await rig.addShare({ others: ['other'] });
    const many = Array.from({ length: 30 }, (_each, index) => `provider-${index}`.padEnd(40, 'x'));
    const page = await rig.browser().get(rig.chooserUrl(share, { providerNames: many }));
    assert.deepEqual(labels(page), ['corp', 'other']);
    assert.ok(rig.chooserUrl(share, { providerNames: many }).length < 4_000);
  });

  test('two of the same display name are told apart', async () => {
    await using rig = await createLoginRig();
    rig.provider('corp').appearance = { displayName: 'Acme', icon: null };
    rig.provider('other').appearance = { displayName: 'Acme', icon: null };
    const page = await rig.browser().get(rig.chooserUrl(await rig.addShare({ others: ['other'] })));
    assert.deepEqual(
      items(page).map((item) => /<small>(.*?)<\/small>/.exec(item)?.[1]),
      ['corp', 'other'],
    );
  });

  test('draws each icon that settings can name, and shows an image as one', async () => {
    await using rig = await createLoginRig();
    const share = await rig.addShare({ others: ['other'] });
    for (const icon of PROVIDER_ICONS) {
      rig.provider('corp').appearance = { displayName: 'Corp', icon };
      assert.match(items(await rig.browser().get(rig.chooserUrl(share)))[0]!, /<svg/, icon);
    }
    rig.provider('corp').appearance = { displayName: 'Corp', icon: 'data:image/png;base64,AAAA' };
    assert.match(
      items(await rig.browser().get(rig.chooserUrl(share)))[0]!,
      /<img src="data:image\/png;base64,AAAA" alt="" \/>/,
    );
  });

  test('the last one that let somebody in comes first, and others keep their order', async () => {
    await using rig = await createLoginRig();
    const share = await rig.addShare({ others: ['other'] });
    const browser = rig.browser();
    const [, toOther] = links(await browser.get(rig.chooserUrl(share)));
    const done = await logIn(browser, toOther!, ADA);
    const cookie = setCookies(done).find((each) => each.includes('last-providers'));
    assert.match(
      cookie ?? '',
      /^__Host-svc-auth-last-providers=other; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    const again = await browser.get(rig.chooserUrl(share));
    assert.deepEqual(labels(again), ['other', 'corp']);
    assert.match(items(again)[0]!, /autofocus.*<small>last used<\/small>/);
    await logIn(browser, links(again)[1]!, ADA);
    assert.deepEqual(labels(await browser.get(rig.chooserUrl(share))), ['corp', 'other']);
  });

  test('a share of one provider leaves no note of it', async () => {
    await using rig = await createLoginRig();
    const share = await rig.addShare();
    const done = await logIn(rig.browser(), rig.startUrl(share), ADA);
    assert.equal(done.status, 302);
    assert.ok(setCookies(done).every((cookie) => !cookie.includes('last-providers')));
  });

  test('a refused email address is offered the other providers, and no other where there is one (contract 3)', async () => {
    await using rig = await createLoginRig();
    const both = await rig.addShare({ others: ['other'], patterns: ['*@elsewhere.example'] });
    const refused = await logIn(rig.browser(), rig.startUrl(both), ADA);
    assert.equal(codeOf(refused), 'email_refused');
    const page = await refusedPage(rig, rig.startUrl(both));
    assert.match(page, /Use another account/);
    const href = /<a href="([^"]+)">Log in with another provider</.exec(page)?.[1];
    assert.equal(openedRequest(rig, href ?? '')?.providerName, 'other');
    const one = await rig.addShare({ patterns: ['*@elsewhere.example'] });
    assert.doesNotMatch(await refusedPage(rig, rig.startUrl(one)), /another provider/);
  });

  test('a provider that is away is no dead end', async () => {
    await using rig = await createLoginRig();
    const share = await rig.addShare({ others: ['other'] });
    rig.provider('corp').script.authorize = 'provider_unreachable';
    const page = await rig.browser().get(rig.startUrl(share), { headers: HTML });
    assert.equal(page.status, 503);
    assert.match(String(page.body), /Log in with another provider/);
  });
});

async function refusedPage(rig: LoginRig, startUrl: string): Promise<string> {
  const browser = rig.browser();
  const started = await browser.get(startUrl);
  const authorize = new URL(header(started, 'location') ?? '');
  const back = new URL(authorize.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', `code-of-${ADA}`);
  back.searchParams.set('state', authorize.searchParams.get('state') ?? '');
  const page = await browser.get(back, { headers: HTML });
  assert.equal(page.status, 403);
  return String(page.body);
}

function items(page: Answer): readonly string[] {
  return [...String(page.body).matchAll(/<li>(.*?)<\/li>/g)].map(([, item = '']) => item);
}

function labels(page: Answer): readonly string[] {
  return items(page).map((item) => /<bdi>(.*?)<\/bdi>/.exec(item)?.[1] ?? '');
}

function links(page: Answer): readonly string[] {
  return items(page).map((item) => /href="([^"]+)"/.exec(item)?.[1] ?? '');
}

function openedRequest(rig: LoginRig, link: string) {
  const url = new URL(link);
  assert.equal(url.origin, 'https://auth.example.com');
  return openLoginRequest(rig.deps.seal, url.searchParams.get('request') ?? '');
}

const HTML = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
