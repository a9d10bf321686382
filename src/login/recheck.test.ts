import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createLoginRig, logIn, type LoginRig } from '../../test/support/login-rig.ts';
import type { SessionId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import { NO_FACTS, type SessionFacts } from '../domain/session-facts.ts';
import type { Tokens } from '../providers/provider.ts';
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from './backoff.ts';
import { SEVERAL } from './person-failures.ts';
import { LONGEST_ASKED_MS } from '../domain/provider-trouble.ts';
import { createRecheck, type RecheckDeps } from './recheck.ts';
import { openSessions } from './session-cookie.ts';
import { until } from '../../test/support/until.ts';

const hour = 60 * 60 * 1000;

test('recheck refreshes, stores the new tokens, and counts the interval from now (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  const answer = await recheck(id);
  assert.equal(answer.kind, 'session');
  const state = (await rig.store.sessions.state(id))!;
  assert.deepEqual(answer, { kind: 'session', state });
  assert.equal(state.checkedAt, rig.clock.now);
  assert.equal(state.ended, false);
  assert.deepEqual(rig.provider('corp').refreshed, ['refresh 1 a@example.com']);
  rig.clock.now += 2 * hour;
  await recheck(id);
  assert.equal(rig.provider('corp').refreshed[1], 'refresh 2 a@example.com');
  assert.deepEqual(rig.reasons('session.refreshed'), [null, null]);
});

test('recheck makes one refresh of 50 that are asked for at once, and none for those that come late (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id } = await dueSession(rig);
  const recheck = createRecheck({ ...rig.deps, pause: () => Promise.reject(new Error('waited')) });
  const answers = await Promise.all(Array.from({ length: 50 }, () => recheck(id)));
  assert.ok(answers.every((answer) => answer.kind === 'session' && answer.state?.ended === false));
  await recheck(id);
  assert.equal(rig.provider('corp').refreshed.length, 1);
});

test('recheck takes a session whose last check lies ahead of the clock for due (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  rig.clock.now -= 5 * hour;
  const answer = await recheck(id);
  assert.equal(rig.provider('corp').refreshed.length, 1);
  assert.equal(answer.kind === 'session' && answer.state!.checkedAt, rig.clock.now);
});

test('recheck makes one refresh over several gateways: the others wait for its result (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  const gate = Promise.withResolvers<void>();
  const { refresh } = rig.provider('corp');
  Object.assign(rig.provider('corp'), {
    refresh: async (tokens: Parameters<NonNullable<typeof refresh>>[0]) => {
      await gate.promise;
      return refresh!(tokens);
    },
  });
  const elsewhere = createRecheck({
    ...rig.deps,
    pause: async () => {
      gate.resolve();
      await first;
    },
  });
  const first = recheck(id);
  const second = elsewhere(id);
  assert.deepEqual(await second, await first);
  assert.equal(rig.provider('corp').refreshed.length, 1);
});

test('recheck takes over when the gateway that held the lease is gone, and gives up waiting after the lease (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id } = await dueSession(rig);
  await rig.store.sessions.lease(id, 15_000);
  let pauses = 0;
  const pause = async (ms: number) => {
    pauses++;
    rig.clock.now += ms;
  };
  const answer = await createRecheck({ ...rig.deps, pause })(id);
  assert.equal(answer.kind === 'session' && answer.state!.checkedAt, rig.clock.now);
  assert.ok(pauses <= 61);
  rig.clock.now += 2 * hour;
  await rig.store.sessions.lease(id, 15_000);
  const stuck = createRecheck({ ...rig.deps, pause: async () => undefined });
  assert.deepEqual(await stuck(id), { kind: 'unavailable' });
});

test('recheck ends the session at invalid_grant (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  rig.provider('corp').script.refresh = 'invalid_grant';
  const answer = await recheck(id);
  assert.equal(answer.kind === 'session' && answer.state!.ended, true);
  assert.equal((await rig.store.sessions.find(id))!.endReason, 'invalid_grant');
  assert.deepEqual(rig.reasons('session.ended'), ['invalid_grant']);
});

test('recheck ends the session of a changed subject, a changed email, and one that no pattern matches now (3; THREATS "Email and identity")', async () => {
  await using rig = await createLoginRig();
  const account = { subject: 'subject of a@example.com', email: 'a@example.com' };
  const cases = [
    ['subject_changed', { ...account, subject: 'somebody else' }, ['*@example.com']],
    ['email_changed', { ...account, email: 'b@example.com' }, ['*@example.com']],
    ['email_changed', { ...account, email: 'a@elsewhere.example' }, ['*@example.com']],
    ['email_refused', account, ['b@example.com']],
  ] as const;
  for (const [reason, now, patterns] of cases) {
    rig.provider('corp').accounts.clear();
    const { id, recheck, shareId } = await dueSession(rig);
    rig.provider('corp').accounts.set('a@example.com', now);
    rig.changeShare(shareId, (share) => ({ ...share, login: { ...share.login!, emailPatterns: patterns } }));
    const answer = await recheck(id);
    assert.equal(answer.kind === 'session' && answer.state!.ended, true, reason);
    assert.equal((await rig.store.sessions.find(id))!.endReason, reason);
  }
  assert.equal(rig.provider('corp').revoked.length, cases.length);
});

test('recheck ends the session whose email the provider takes back, and that of a former provider generation (3)', async () => {
  await using rig = await createLoginRig();
  const one = await dueSession(rig);
  rig.provider('corp').script.identify = 'email_unverified';
  await one.recheck(one.id);
  assert.equal((await rig.store.sessions.find(one.id))!.endReason, 'email_unverified');
  rig.provider('corp').script.identify = 'answer';
  const two = await dueSession(rig);
  Object.assign(rig.provider('corp'), { generation: 'C'.repeat(22) });
  await two.recheck(two.id);
  assert.equal((await rig.store.sessions.find(two.id))!.endReason, 'provider_changed');
  assert.equal(rig.provider('corp').refreshed.length, 1);
});

test('recheck keeps session and token when the provider is away, asks once a second, and works again later (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  for (const code of ['provider_unreachable', 'provider_error'] as const) {
    rig.provider('corp').script.refresh = code;
    assert.deepEqual(await recheck(id), { kind: 'unavailable' });
    const asked = rig.provider('corp').refreshed.length;
    assert.deepEqual(await recheck(id), { kind: 'unavailable' });
    assert.equal(rig.provider('corp').refreshed.length, asked);
    rig.clock.now += 1000;
  }
  assert.deepEqual(rig.reasons('session.refresh_failed'), ['provider_unreachable', 'provider_error']);
  rig.provider('corp').script.refresh = 'answer';
  const answer = await recheck(id);
  assert.equal(answer.kind === 'session' && answer.state!.checkedAt, rig.clock.now);
  assert.equal(rig.provider('corp').refreshed.at(-1), 'refresh 1 a@example.com');
});

test('recheck stores rotated tokens before it uses them: a crash or failure after that loses nothing (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  rig.provider('corp').script.identify = 'provider_unreachable';
  assert.deepEqual(await recheck(id), { kind: 'unavailable' });
  rig.provider('corp').script.identify = 'answer';
  const restarted = createRecheck(rig.deps);
  await restarted(id);
  assert.deepEqual(rig.provider('corp').refreshed, ['refresh 1 a@example.com'], 'no second refresh');
  assert.equal((await rig.store.sessions.state(id))!.ended, false);
  rig.clock.now += 2 * hour;
  await restarted(id);
  assert.deepEqual(rig.provider('corp').refreshed, ['refresh 1 a@example.com', 'refresh 2 a@example.com']);
});

test('recheck refreshes again when the access token at hand is refused, or is no longer fresh (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  for (const laterMs of [2_000, 6 * 60_000]) {
    const { id, recheck } = await dueSession(rig);
    const { refreshed, script } = rig.provider('corp');
    script.identify = 'provider_unreachable';
    assert.deepEqual(await recheck(id), { kind: 'unavailable' });
    const before = refreshed.length;
    script.identify = 'provider_error';
    rig.clock.now += laterMs;
    assert.deepEqual(await recheck(id), { kind: 'unavailable' });
    assert.equal(refreshed.length, before + 1);
    script.identify = 'answer';
    rig.clock.now += 2_000;
    const answer = await recheck(id);
    assert.equal(answer.kind === 'session' && answer.state!.checkedAt, rig.clock.now);
  }
});

test('recheck leaves a provider that is away alone for all its sessions, longer each time, and one tries for all (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const due = [await dueSession(rig), await dueSession(rig, 0), await dueSession(rig, 0)];
  rig.clock.now += 2 * hour;
  const recheck = createRecheck({ ...rig.deps, random: () => 0 });
  const { refreshed, script } = rig.provider('corp');
  script.refresh = 'provider_unreachable';
  const askedAfter = async (ms: number) => {
    rig.clock.now += ms;
    for (const { id } of due) assert.deepEqual(await recheck(id), { kind: 'unavailable' });
    return refreshed.length;
  };
  assert.deepEqual(
    [await askedAfter(0), await askedAfter(1_000), await askedAfter(1_000), await askedAfter(1_000)],
    [1, 2, 2, 3],
  );
  script.refresh = 'answer';
  rig.clock.now += 60_000;
  for (const { id } of due) {
    const answer = await recheck(id);
    assert.equal(answer.kind === 'session' && answer.state!.checkedAt, rig.clock.now);
  }
});

test('recheck asks a stalling provider no longer than well before the lease ends, discovery and identify included (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  for (const step of ['refresh', 'identify'] as const) {
    const { id } = await dueSession(rig);
    rig.provider('corp').script[step] = 'stall';
    const limits: { readonly ms: number; readonly end: () => void }[] = [];
    const timeLimit = (ms: number) => {
      const limit = new AbortController();
      limits.push({ ms, end: () => limit.abort() });
      return limit.signal;
    };
    const answer = createRecheck({ ...rig.deps, timeLimit })(id);
    await until(() => limits.length > 0);
    const [first] = limits.toSorted((a, b) => a.ms - b.ms);
    assert.ok(first!.ms <= 10_000, `${first!.ms} ms leave too little of the lease's 15 s`);
    first!.end();
    assert.deepEqual(await answer, { kind: 'unavailable' });
    rig.provider('corp').script[step] = 'answer';
    const next = await createRecheck(rig.deps)(id);
    assert.equal(next.kind === 'session' && next.state!.checkedAt, rig.clock.now, 'the lease was given back');
  }
  assert.equal(rig.provider('corp').refreshed.at(-1), 'refresh 2 a@example.com', 'what came was used');
});

test('recheck keeps a rotated token when the store is away for a moment, and gives up when the lease ends (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id } = await dueSession(rig);
  const away = { left: 3, asked: 0 };
  const sessions: RecheckDeps['sessions'] = {
    ...rig.deps.sessions,
    storeTokens: async (lease, tokens) => {
      away.asked++;
      if (away.left-- > 0) throw new ServiceError('store_unavailable', 'Cannot store: away');
      return rig.deps.sessions.storeTokens(lease, tokens);
    },
  };
  const answer = await createRecheck({ ...rig.deps, sessions, pause: atOnce })(id);
  assert.equal(answer.kind === 'session' && answer.state!.checkedAt, rig.clock.now);
  assert.equal(away.asked, 4);
  rig.clock.now += 2 * hour;
  await createRecheck(rig.deps)(id);
  assert.deepEqual(rig.provider('corp').refreshed, ['refresh 1 a@example.com', 'refresh 2 a@example.com']);
  const other = await dueSession(rig);
  Object.assign(away, { left: Infinity, asked: 0 });
  const stuck = createRecheck({ ...rig.deps, sessions, pause: atOnce, timeLimit: () => AbortSignal.abort() });
  assert.deepEqual(await stuck(other.id), { kind: 'unavailable' });
  assert.equal(away.asked, 1);
});

test('recheck survives a crash between rotation and storing: the former token is tried, and at worst the visitor logs in again', async () => {
  await using rig = await createLoginRig();
  const { id } = await dueSession(rig);
  await rig.store.sessions.lease(id, 15_000);
  rig.clock.now += 15_000;
  const restarted = createRecheck(rig.deps);
  rig.provider('corp').script.refresh = 'invalid_grant';
  const answer = await restarted(id);
  assert.equal(answer.kind === 'session' && answer.state!.ended, true);
  assert.deepEqual(rig.provider('corp').refreshed, ['refresh 1 a@example.com']);
});

test('recheck keeps the former refresh token when the provider gives no new one (RFC 6749 section 6)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  const { refresh } = rig.provider('corp');
  Object.assign(rig.provider('corp'), {
    refresh: async (tokens: Parameters<NonNullable<typeof refresh>>[0]) => ({
      ...(await refresh!(tokens)),
      refreshToken: null,
    }),
  });
  await recheck(id);
  rig.clock.now += 2 * hour;
  await recheck(id);
  assert.deepEqual(rig.provider('corp').refreshed, ['refresh 1 a@example.com', 'refresh 1 a@example.com']);
  assert.equal((await rig.store.sessions.state(id))!.refreshable, true);
});

test('recheck of a provider that no longer refreshes makes the next check a login (3, "provider does not support refresh")', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  Object.assign(rig.provider('corp'), { refresh: undefined });
  const answer = await recheck(id);
  assert.equal(answer.kind === 'session' && answer.state!.refreshable, false);
  assert.equal(answer.kind === 'session' && answer.state!.ended, false);
});

test('recheck asks no provider for sessions that are unknown, ended, expired or not due', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  assert.deepEqual(await recheck('ses_00000000000000000000000000'), { kind: 'session', state: null });
  rig.clock.now += 24 * hour;
  assert.equal((await recheck(id)).kind, 'session');
  await rig.store.sessions.end([id], { reason: 'logout', at: rig.clock.now });
  const ended = await recheck(id);
  assert.equal(ended.kind === 'session' && ended.state!.ended, true);
  const fresh = await dueSession(rig, 0);
  assert.equal((await fresh.recheck(fresh.id)).kind, 'session');
  assert.deepEqual(rig.provider('corp').refreshed, []);
});

test('recheck never extends session_lifetime (2.1, 3)', async () => {
  await using rig = await createLoginRig();
  const { id, recheck } = await dueSession(rig);
  const before = (await rig.store.sessions.find(id))!.expiresAt;
  await recheck(id);
  assert.equal((await rig.store.sessions.find(id))!.expiresAt, before);
});

test('recheck is unavailable while the store is away, and never rejects (3 Gateways and store)', async () => {
  await using rig = await createLoginRig();
  const { id } = await dueSession(rig);
  const sessions: RecheckDeps['sessions'] = {
    ...rig.deps.sessions,
    lease: () => Promise.reject(new ServiceError('store_unavailable', 'Cannot lease: away')),
  };
  assert.deepEqual(await createRecheck({ ...rig.deps, sessions })(id), { kind: 'unavailable' });
});

test('recheck that fails is logged as a failed session check, not as a failed login (3 Check interval)', async () => {
  const said: string[] = [];
  const log = { warn: (_: object, text: string) => said.push(text), error: () => undefined };
  await using rig = await createLoginRig({ log: log as never });
  const { id, recheck } = await dueSession(rig);
  rig.provider('corp').script.refresh = 'provider_unreachable';
  assert.deepEqual(await recheck(id), { kind: 'unavailable' });
  assert.deepEqual(said, ['session check failed']);
});

test('recheck that meets a limit of one person’s token holds up that session alone, whatever Retry-After says (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const limited = await dueSession(rig, 0, 'limited@example.com');
  const others = [await dueSession(rig, 0, 'b@example.com'), await dueSession(rig, 0, 'c@example.com')];
  limitTokensOf(rig, ['limited@example.com']);
  rig.clock.now += 2 * hour;
  const recheck = createRecheck({ ...rig.deps, random: () => 0 });
  assert.deepEqual(await recheck(limited.id), { kind: 'unavailable' });
  for (const { id } of others) assert.equal((await recheck(id)).kind, 'session');
  const { refreshed } = rig.provider('corp');
  rig.clock.now += 3_599_000;
  const asked = refreshed.length;
  assert.deepEqual(await recheck(limited.id), { kind: 'unavailable' });
  assert.equal(refreshed.length, asked, 'as it was asked to');
  for (const { id } of others) assert.equal((await recheck(id)).kind, 'session');
});

test('recheck leaves a provider alone, not for long, once several people in a row met its limit with their tokens (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const people = Array.from({ length: SEVERAL }, (_, number) => `limited-${number}@example.com`);
  const limited = [];
  for (const email of [people[0]!, ...people]) limited.push(await dueSession(rig, 0, email));
  const other = await dueSession(rig, 0, 'b@example.com');
  limitTokensOf(rig, people);
  rig.clock.now += 2 * hour;
  const recheck = createRecheck({ ...rig.deps, random: () => 0 });
  for (const { id } of limited) assert.deepEqual(await recheck(id), { kind: 'unavailable' });
  assert.deepEqual(await recheck(other.id), { kind: 'unavailable' });
  rig.clock.now += LONGEST_PAUSE_MS;
  assert.equal((await recheck(other.id)).kind, 'session');
});

test('recheck believes a Retry-After of the token endpoint for minutes at most (3 Check interval)', async () => {
  await using rig = await createLoginRig();
  const { id } = await dueSession(rig);
  const corp = rig.provider('corp');
  const { refresh } = corp;
  Object.assign(corp, { refresh: () => Promise.reject(limitReached()) });
  const recheck = createRecheck({ ...rig.deps, random: () => 0 });
  assert.deepEqual(await recheck(id), { kind: 'unavailable' });
  Object.assign(corp, { refresh });
  rig.clock.now += LONGEST_ASKED_MS - 1;
  assert.deepEqual(await recheck(id), { kind: 'unavailable' });
  rig.clock.now += FIRST_PAUSE_MS;
  assert.equal((await recheck(id)).kind, 'session');
});

test('recheck keeps what the provider says of the person now, and nothing that it says no more, but how they logged in (Groups and claims)', async () => {
  await using rig = await createLoginRig();
  const { accounts } = rig.provider('corp');
  const subject = 'subject of a@example.com';
  const says = (facts: SessionFacts | undefined) =>
    accounts.set('a@example.com', { subject, email: 'a@example.com', ...(facts && { facts }) });
  const atLogin = { ...NO_FACTS, groups: ['eng', 'ops'], acr: 'gold', amr: ['otp'], authTime: 1, name: 'A' };
  says({ ...atLogin, claims: { site: ['north'] } });
  const { id, recheck } = await dueSession(rig);
  assert.deepEqual((await rig.store.sessions.state(id))?.facts?.groups, ['eng', 'ops']);
  says({ ...NO_FACTS, groups: ['ops'], name: 'B' });
  const answer = await recheck(id);
  const kept = { ...NO_FACTS, groups: ['ops'], acr: 'gold', amr: ['otp'], authTime: 1, name: 'B' };
  assert.deepEqual(answer.kind === 'session' && answer.state?.facts, kept);
  assert.deepEqual((await rig.store.sessions.state(id))?.facts, kept);
  rig.clock.now += 2 * hour;
  says(undefined);
  await recheck(id);
  const none = { ...NO_FACTS, acr: 'gold', amr: ['otp'], authTime: 1 };
  assert.deepEqual((await rig.store.sessions.state(id))?.facts, none);
});

test('recheck takes groups that became too many, or are told no more, for none that are known, and logs it (Groups and claims)', async () => {
  const logged: unknown[] = [];
  const warn = (fields: object) => logged.push((fields as { readonly code: string }).code);
  await using rig = await createLoginRig({ log: { warn, error: warn } });
  const { accounts } = rig.provider('corp');
  const person = { subject: 'subject of a@example.com', email: 'a@example.com' };
  accounts.set('a@example.com', { ...person, facts: { ...NO_FACTS, groups: ['eng'] } });
  const { id, recheck } = await dueSession(rig);
  const groupsFault = new ServiceError('too_many_groups', 'Cannot keep the groups of a person: 10,000');
  accounts.set('a@example.com', { ...person, facts: NO_FACTS, groupsFault });
  const answer = await recheck(id);
  assert.equal(answer.kind === 'session' && answer.state?.ended, false);
  assert.equal((await rig.store.sessions.state(id))?.facts?.groups, null);
  assert.deepEqual(logged, ['too_many_groups']);
});

function limitTokensOf(rig: LoginRig, emails: readonly string[]): void {
  const corp = rig.provider('corp');
  const { identify } = corp;
  Object.assign(corp, {
    identify: async (tokens: Tokens, signal?: AbortSignal) => {
      if (emails.some((email) => tokens.accessToken.reveal().endsWith(` ${email}`))) throw limitReached();
      return identify(tokens, signal);
    },
  });
}

function limitReached(): ServiceError {
  const extra = { retryAfterSeconds: 3600 };
  return new ServiceError('provider_rate_limited', 'Cannot answer: the limit is reached', { extra });
}

const atOnce = async () => undefined;

async function dueSession(rig: LoginRig, elapsedMs: number = 2 * hour, email = 'a@example.com') {
  const browser = rig.browser();
  const share = await rig.addShare({ intervalMs: 2 * hour });
  await logIn(browser, rig.startUrl(share), email);
  const [session] = openSessions(rig.deps.seal, browser.jar.find('svc-auth-session')!.value)!;
  rig.clock.now += elapsedMs;
  const id: SessionId = session!.id;
  return { id, shareId: share.id, recheck: createRecheck({ ...rig.deps, random: () => 0 }) };
}
