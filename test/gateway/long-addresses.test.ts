// Addresses too long for a login to carry (contract 3, "redirected to the original share URL"), at the gate:
// what the visitor gets to keep, and what the last leg of the login makes of it. Over https and over plain
// HTTP.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId } from '../../src/domain/id.ts';
import type { Share } from '../../src/domain/share.ts';
import type { SessionQuestion, WorkerAnswer } from '../../src/gateway/messages.ts';
import { beginUrl, type BeginGrant } from '../../src/login/begin-grant.ts';
import { sealAddress } from '../../src/login/kept-address.ts';
import { openLoginRequest, type LoginRequest } from '../../src/login/login-request.ts';
import { createCookieJar, type CookieJar } from '../support/cookie-jar.ts';
import { startTestGate, testLogin, testShare, type TestAnswer, type TestGate } from '../support/gate.ts';
import { rawBackend, type RawBackend } from '../support/raw-backend.ts';

const HOST = 'demo.share.localhost';

for (const scheme of ['https', 'http'] as const)
  describe(`a long address over ${scheme}`, () => {
    const ORIGIN = `${scheme}://${HOST}`;
    let backend: RawBackend;
    let gate: TestGate;
    let share: Share;
    let answer: (question: SessionQuestion) => WorkerAnswer;
    before(async () => {
      backend = await rawBackend((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
      const target = `http://127.0.0.1:${backend.port}`;
      share = testShare('demo', target, { login: testLogin(), hosts: [HOST, 'alias.share.localhost'] });
      gate = await startTestGate({
        shares: [share],
        settings: {
          publicUrl: { scheme, domain: 'share.localhost', port: scheme === 'https' ? 443 : 80 },
          endpointUrl: `${scheme}://auth.share.localhost`,
        },
        answers: (question) => answer(question),
      });
      answer = ({ sessionId: id }) => ({
        kind: 'session',
        state: { id, subject: 's', checkedAt: Date.now(), refreshable: true, confirmed: true, ended: false },
      });
    });
    after(async () => {
      await gate.close();
      await backend.close();
    });

    const open = async (jar: CookieJar, path: string, headers: Record<string, string> = {}) => {
      const cookie = jar.header(new URL(path, ORIGIN));
      const all = { accept: 'text/html', ...(cookie === null ? {} : { cookie }), ...headers };
      const given = await gate.call({ host: HOST, path, headers: all });
      assert.deepEqual(jar.store(new URL(path, ORIGIN), given.headers['set-cookie'] ?? []), []);
      return given;
    };
    const requestIn = (given: TestAnswer): LoginRequest => {
      const sealed = new URL(given.headers.location ?? '').searchParams.get('request') ?? '';
      return openLoginRequest(gate.seal, sealed)!;
    };
    /** Where the callback would lead. */
    const legOf = (request: LoginRequest, over: Partial<BeginGrant> = {}, now = Date.now()) => {
      const { shareId, bindingHash, addressKey, returnUrl } = request;
      const ids = { sessionId: newId('ses'), shareId, bindingHash, session: null };
      const grant = { ...ids, addressKey, returnUrl, setOutAt: now };
      const url = new URL(beginUrl(gate.seal, { ...grant, ...over }, now));
      return url.pathname + url.search;
    };

    test('comes back whole, with a query of 16 KiB; its cookies go to that one path and are taken back (3, 4.1)', async () => {
      for (const path of [
        `/search?q=${randomBytes(12_288).toString('base64url').slice(0, 16_382)}`,
        `/deep/page?state=${'%7B%22a%22%3A1%7D'.repeat(700)}`,
        `/x?${'y'.repeat(1_100)}`,
      ]) {
        const jar = createCookieJar();
        const first = await open(jar, path);
        assert.equal(first.status, 302);
        const request = requestIn(first);
        assert.equal(request.returnUrl, ORIGIN + path.split('?')[0], 'what travels is short');
        assert.ok((first.headers.location ?? '').length < 2_100);
        const kept = jar.all().filter(({ name }) => name.includes('svc-auth-address-'));
        assert.ok(kept.length > 0 && kept.length <= 6);
        for (const cookie of kept) {
          assert.equal(cookie.path, `/.svc/begin/${request.addressKey}`);
          assert.deepEqual([cookie.hostOnly, cookie.httpOnly, cookie.sameSite], [true, true, 'lax']);
          assert.equal(cookie.secure, scheme === 'https');
          assert.equal(cookie.name.startsWith('__Secure-'), scheme === 'https');
          const lifeMs = (cookie.expiresAt ?? 0) - Date.now();
          assert.ok(lifeMs > 600_000 && lifeMs <= 660_000, 'two intermediate lifetimes and a minute');
        }
        for (const line of first.headers['set-cookie'] ?? []) assert.ok(line.length <= 4_096);
        assert.doesNotMatch(jar.header(new URL(path, ORIGIN)) ?? '', /address/);

        const begun = await open(jar, legOf(request));
        assert.deepEqual([begun.status, begun.headers.location], [302, ORIGIN + path]);
        assert.equal(begun.headers['cache-control'], 'no-store');
        assert.deepEqual(
          jar.all().filter(({ name }) => name.includes('svc-auth-address-')),
          [],
          'not needed any more',
        );
      }
    });

    test('a short one travels as before, without cookies of its own', async () => {
      const jar = createCookieJar();
      const path = `/x?${'y'.repeat(900)}`;
      const request = requestIn(await open(jar, path));
      assert.deepEqual([request.returnUrl, request.addressKey], [ORIGIN + path, null]);
      assert.equal(
        jar.all().some(({ name }) => name.includes('address')),
        false,
      );
    });

    test('several tabs with addresses of their own each get theirs, in any order', async () => {
      const jar = createCookieJar();
      const paths = Array.from(
        { length: 5 },
        (_, tab) => `/tab-${tab}?${randomBytes(6_000).toString('hex')}`,
      );
      const requests = [];
      for (const path of paths) requests.push(requestIn(await open(jar, path)));
      for (const tab of [3, 0, 4, 2, 1]) {
        const begun = await open(jar, legOf(requests[tab]!));
        assert.deepEqual([begun.status, begun.headers.location], [302, ORIGIN + paths[tab]]);
      }
    });

    test('one that the browser lost is said to be gone, and leads on to its path; so is one of another browser', async () => {
      const jar = createCookieJar();
      const path = `/page?${randomBytes(9_000).toString('base64url')}`;
      const request = requestIn(await open(jar, path));
      const piece = jar.all().find(({ name }) => name.includes('address-1'));
      jar.remove(piece!.name);
      for (const browser of [jar, createCookieJar()]) {
        const given = await open(browser, legOf(request));
        assert.equal(given.status, 410);
        assert.equal(given.headers.location, undefined);
        assert.match(given.body, /Part of the address is gone/);
        assert.ok(given.body.includes(`href="${ORIGIN}/page"`), given.body);
      }
    });

    test('one that is too long is told before the login, which leads to its path; a program gets its 401 (documented)', async () => {
      const path = `/page?${'a'.repeat(18_000)}`;
      const page = await open(createCookieJar(), path);
      assert.equal(page.status, 414);
      assert.match(page.body, /This address is too long to keep/);
      const href = /href="([^"]*\/corp\/login\?request=[^"]*)"/.exec(page.body)?.[1] ?? '';
      const sealed = new URL(href).searchParams.get('request') ?? '';
      const request = openLoginRequest(gate.seal, sealed)!;
      assert.deepEqual([request.returnUrl, request.addressKey], [`${ORIGIN}/page`, null]);
      assert.equal(request.bindingHash === null, scheme === 'http');
      const program = await open(createCookieJar(), path, { accept: 'application/json' });
      assert.equal(program.status, 401);
      assert.equal((JSON.parse(program.body) as { code: string }).code, 'login_required');
    });

    test('a call with a long address of its own gets a 401 that any program takes, and comes back to the path', async () => {
      const path = `/api?${randomBytes(12_000).toString('base64url')}`;
      const given = await open(createCookieJar(), path, { accept: 'application/json' });
      assert.equal(given.status, 401);
      assert.ok(given.rawHeaders.join('').length < 1_000);
      const { login_url: url } = JSON.parse(given.body) as { login_url: string };
      const request = openLoginRequest(gate.seal, new URL(url).searchParams.get('request') ?? '')!;
      assert.deepEqual([request.returnUrl, request.addressKey], [`${ORIGIN}/api`, null]);
    });

    test('a call of a page with a long address keeps that page (5.1)', async () => {
      const jar = createCookieJar();
      const referer = `${ORIGIN}/app?${randomBytes(1_500).toString('base64url')}`;
      const given = await open(jar, '/api', { accept: 'application/json', referer });
      assert.equal(given.status, 401);
      const { login_url: url } = JSON.parse(given.body) as { login_url: string };
      const request = openLoginRequest(gate.seal, new URL(url).searchParams.get('request') ?? '')!;
      assert.equal((await open(jar, legOf(request))).headers.location, referer);
    });

    test('a page about a failed login leads back to the whole address', async () => {
      const jar = createCookieJar();
      const path = `/page?${randomBytes(3_000).toString('base64url')}`;
      const { addressKey } = requestIn(await open(jar, path));
      const back = await open(jar, `/.svc/begin/${addressKey}`);
      assert.deepEqual([back.status, back.headers.location], [302, ORIGIN + path]);
      assert.equal((await open(createCookieJar(), `/.svc/begin/${addressKey}`)).status, 410);
      assert.equal((await open(jar, `/.svc/begin/${'A'.repeat(22)}`)).status, 410);
    });

    test('planted pieces lead nowhere: each opens under its own key alone, and leads to this host alone (THREATS "Open redirect")', async () => {
      const jar = createCookieJar();
      const path = `/page?${randomBytes(3_000).toString('base64url')}`;
      const request = requestIn(await open(jar, path));
      const { addressKey, bindingHash } = request;
      const prefix = scheme === 'https' ? '__Secure-' : '';
      const plant = (url: string, key: string, of: string | null) => {
        const kept = sealAddress(gate.seal, { url, bindingHash: of })!;
        const planted = createCookieJar();
        for (const [index, value] of kept.pieces.entries())
          planted.put({
            ...COOKIE,
            name: `${prefix}svc-auth-address-${index}`,
            value,
            path: `/.svc/begin/${key}`,
          });
        for (const cookie of jar.all()) if (!cookie.name.includes('address')) planted.put(cookie);
        return { planted, key: kept.key };
      };
      const long = 'x'.repeat(2_000);
      // The key of the victim's login over pieces of somebody else's.
      const { planted } = plant(`${ORIGIN}/evil?${long}`, addressKey!, bindingHash);
      assert.equal((await open(planted, legOf(request))).status, 410);
      // Even what the gate would never seal leads to no other host, and not to an address of the service's
      // own.
      for (const url of [
        `https://evil.example/?${long}`,
        `//evil.example/?${long}`,
        `${scheme}://alias.share.localhost/?${long}`,
        `${scheme}://${HOST}:444/?${long}`,
        `${scheme}://user@${HOST}.evil.example/?${long}`,
        `javascript:alert(1)//${long}`,
        `${ORIGIN}/.svc/logout?${long}`,
        `${ORIGIN}/x/%2e%2e/.svc/logout?${long}`,
      ]) {
        const { key } = plant(url, 'x', bindingHash);
        const under = plant(url, key, bindingHash).planted;
        for (const leg of [legOf({ ...request, addressKey: key }), `/.svc/begin/${key}`]) {
          const given = await open(under, leg);
          assert.deepEqual([given.status, given.headers.location], [410, undefined], url);
        }
      }
      // Backslashes are written out as browsers read them, on this host.
      const odd = `${ORIGIN}/\\evil.example/?${long}`;
      const { key } = plant(odd, 'x', bindingHash);
      const given = await open(plant(odd, key, bindingHash).planted, `/.svc/begin/${key}`);
      assert.equal(given.headers.location, `${ORIGIN}//evil.example/?${long}`);
    });

    test('a grant counts below its own key alone, and a key opens no door (4.1)', async () => {
      const jar = createCookieJar();
      const request = requestIn(await open(jar, `/a?${randomBytes(3_000).toString('base64url')}`));
      const other = requestIn(await open(jar, `/b?${randomBytes(3_000).toString('base64url')}`));
      const leg = legOf(request);
      const asked = gate.questions().length;
      for (const path of [
        leg.replace(request.addressKey!, other.addressKey!),
        leg.replace(`/${request.addressKey}`, ''),
        legOf({ ...request, addressKey: null }).replace('/.svc/begin', `/.svc/begin/${request.addressKey}`),
        `${leg}&grant=x`,
      ])
        assert.equal((await open(jar, path)).status, 400, path.slice(0, 60));
      for (const path of [
        '/.svc/begin/',
        '/.svc/begin/x',
        `/.svc/begin/${request.addressKey}x`,
        `/.svc/begin/${request.addressKey}/`,
      ])
        assert.equal((await open(jar, path)).status, 404, path);
      assert.equal(gate.questions().length, asked);
      for (const method of ['HEAD', 'POST'])
        assert.equal((await gate.call({ host: HOST, path: leg, method })).status, 405);
      const framed = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
      assert.equal((await open(jar, leg, framed)).status, 403);
    });

    test('the longest fits beside a full session cookie and cookies of the application', async () => {
      const jar = createCookieJar();
      const path = `/search?q=${randomBytes(12_288).toString('base64url').slice(0, 16_382)}`;
      const request = requestIn(await open(jar, path));
      jar.put({ ...COOKIE, name: 'svc-auth-session', value: 'x'.repeat(3_800), path: '/' });
      jar.put({ ...COOKIE, name: 'application', value: 'x'.repeat(4_000), path: '/' });
      const begun = await open(jar, legOf(request), { 'user-agent': 'x'.repeat(300) });
      assert.deepEqual([begun.status, begun.headers.location], [302, ORIGIN + path]);
    });
  });

const COOKIE = {
  domain: HOST,
  hostOnly: true,
  secure: false,
  httpOnly: true,
  sameSite: 'lax',
  expiresAt: null,
} as const;
