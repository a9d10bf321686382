// Orders and renews certificates, one name after the other, on one gateway of all. Whatever it does is in the
// store before the next step depends on it, so that another one goes on where it was killed.
//
//   due names ──► lease ──► account ──► for each: renewal information? ──► order ──► certificate in the store
//                                            └── failed: kept with its reason, tried again later and later

import { X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { auditEvent } from '../domain/audit-event.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type AcmeName, type AcmeOrder, type HeldDates, LeaseLost } from '../store/acme/acme.ts';
import { AcmeFault } from './acme-fault.ts';
import { signerFor } from './account-in-use.ts';
import { advanceOrder } from './advance-order.ts';
import type { Signer } from './connection.ts';
import { dueNames, isOver, LONGEST_REST_MS, rests } from './due-names.ts';
import { FIRST_USE_LIMITS } from './first-use.ts';
import { newKey } from './jws.ts';
import { newOrder } from './order.ts';
import type { OrdererDeps } from './orderer-deps.ts';
import { clearChallenges, presentChallenge } from './present-challenge.ts';
import { nextRenewalCheck, plannedRenewal, renewalId, retryInMs, twoThirds, windowOf } from './renewal.ts';

export type Orderer = {
  /** Does what is due, unless another gateway does. Never rejects. */
  readonly run: () => Promise<void>;
  /** `run()` soon. */
  readonly wake: () => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

export function createOrderer(deps: OrdererDeps): Orderer {
  const stopped = new AbortController();
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | null = null;
  const run = (): Promise<void> => {
    if (stopped.signal.aborted) return Promise.resolve();
    if (running !== null) {
      // What came meanwhile is looked at by the next one.
      again = true;
      return running;
    }
    running = runOnce(deps, stopped.signal).finally(() => {
      running = null;
      if (again && !stopped.signal.aborted) setImmediate(() => void run());
      again = false;
    });
    return running;
  };
  return {
    run,
    wake: () => void run(),
    start: () => {
      timer = setInterval(() => void run(), LOOK_MS).unref();
      void run();
    },
    stop: async () => {
      stopped.abort();
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
}

async function runOnce(deps: OrdererDeps, signal: AbortSignal): Promise<void> {
  const { store, holder, now, log, directory } = deps;
  try {
    const isDue = dueNames(await store.acme.names(), now()).length > 0;
    if (!isDue && !(await store.acme.keyChangeWaits(directory))) return;
    if (!(await store.acme.takeLease(holder, HOLD_MS))) return;
    const beat = setInterval(() => {
      // When it is lost, the next write says so.
      store.acme.takeLease(holder, HOLD_MS).catch(() => undefined);
    }, BEAT_MS);
    try {
      await orderDue(deps, signal);
    } finally {
      clearInterval(beat);
      await store.acme.releaseLease(holder);
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof LeaseLost) log.warn({}, 'Another gateway orders certificates now');
    else log.warn({ err: error }, 'Cannot look after certificates');
  }
}

async function orderDue(deps: OrdererDeps, signal: AbortSignal): Promise<void> {
  const { store, now, directory, holder, log } = deps;
  const account = await store.acme.account(directory, newKey(), now());
  if (rests(account, now())) return;
  await clearChallenges(deps);
  let signer: Signer | null = null;
  try {
    if (account.nextKey !== null) signer = await signerFor(deps, account);
    let refusedInARow = 0;
    // Read again: whoever had the lease before may have done it.
    for (const name of dueNames(await store.acme.names(), now())) {
      if (signal.aborted) return;
      if (deps.isOurs(name.name)) {
        signer ??= await signerFor(deps, account);
        const refused = await lookAfter(deps, signer, { name, signal });
        refusedInARow = refused === null ? 0 : refusedInARow + 1;
        if (refused !== null && refusedInARow >= MOST_REFUSED) throw refused;
      }
      // What is still good is served until it is over, and never renewed.
      else if (isOver(name, now()) && isForgettable(name, now())) await store.acme.remove(holder, name.id);
    }
    if (signer !== null && account.failures > 0) await store.acme.noteServer(holder, account.id, NO_TRIES);
  } catch (error) {
    // It is of the server, or of our account there: every name would meet it.
    if (!(error instanceof AcmeFault)) throw error;
    await store.acme.noteServer(holder, account.id, triesAfter(deps, account.failures, error));
    log.warn({ err: error }, 'Cannot order certificates at the ACME server');
  } finally {
    await clearChallenges(deps);
  }
}

type Work = { readonly name: AcmeName; readonly signal: AbortSignal };

/**
 * Answers what the server could not do; null when all is well, or the failure is the name's own. Throws
 * `LeaseLost`, and what the store throws.
 */
async function lookAfter(deps: OrdererDeps, signer: Signer, work: Work): Promise<AcmeFault | null> {
  const { name } = work;
  const { now, log, store, holder } = deps;
  try {
    if (await isToBeOrdered(deps, name)) await order(deps, signer, work);
    return null;
  } catch (error) {
    // Of the store, too: that is back later, and no name's failure.
    if (error instanceof LeaseLost || error instanceof ServiceError || work.signal.aborted) throw error;
    // The server knew our account a moment ago: one order that it cannot bear must not hold up the others.
    const refused = error instanceof AcmeFault && error.kind === 'server' ? error : null;
    const tries = triesAfter(deps, name.failures, error);
    const orderIsOver =
      error instanceof AcmeFault &&
      (ENDS_ORDER.has(error.kind) || (refused !== null && tries.failures >= MOST_TRIES_OF_ORDER));
    log.warn({ err: error, name: name.name, retryAt: tries.retryAt }, 'Cannot get a certificate');
    const { accountId } = name;
    const reason = `${name.name}: ${tries.lastFailure}`;
    const event = auditEvent({ kind: 'public_certificate.failed', at: now(), accountId, reason });
    await store.together(async () => {
      await store.acme.failed(holder, name.id, { ...tries, orderIsOver });
      await store.audit.append([event]);
    });
    deps.audited(event);
    return refused;
  }
}

/** What was begun counts among what may begin in an hour: a share that is deleted again does not undo it. */
function isForgettable({ createdAt }: AcmeName, now: number): boolean {
  return Math.abs(now - createdAt) >= FIRST_USE_LIMITS.windowMs;
}

/** Asks the server what it suggests, where it is time to. */
async function isToBeOrdered(deps: OrdererDeps, { id, held, ordered }: AcmeName): Promise<boolean> {
  const { connection, store, now } = deps;
  if (held === null || ordered || held.renewAt <= now()) return true;
  const { renewalInfo } = await connection.directory();
  const certificate = await store.acme.certificate(id);
  const name = certificate === null ? null : renewalId(certificate);
  let plan = { renewAt: held.renewAt, checkAt: nextRenewalCheck(now(), null) };
  if (renewalInfo !== null && name !== null) {
    try {
      const { body, retryAfterMs } = await connection.get(
        `${renewalInfo.replace(/\/$/, '')}/${name}`,
        'read renewal information',
      );
      const window = windowOf(body);
      const renewAt = window === null ? held.renewAt : plannedRenewal(window, held, deps.random());
      plan = { renewAt, checkAt: nextRenewalCheck(now(), retryAfterMs) };
    } catch (error) {
      // It is a suggestion: without it, two thirds of its life stand.
      if (!(error instanceof AcmeFault)) throw error;
    }
  }
  await store.acme.plan(deps.holder, id, plan);
  return plan.renewAt <= now();
}

async function order(deps: OrdererDeps, account: Signer, { name, signal }: Work): Promise<void> {
  const { connection, store, holder, now } = deps;
  const under = (await store.acme.order(name.id)) ?? (await begin(deps, account, name));
  const kinds = rotated(deps.kindsFor(name.name), name.failures);
  const wait = async (ms: number) => {
    await pause(ms, undefined, { signal });
  };
  const certificate = await advanceOrder({
    connection,
    account,
    name: name.name,
    orderUrl: under.url,
    privateKey: under.privateKey,
    now,
    kinds,
    present: (challenge, host) =>
      presentChallenge(deps, { challenge, host, nameId: name.id, account, pause: wait }),
    pause: wait,
  });
  const leaf = new X509Certificate(certificate);
  const [notBefore, notAfter] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const renewAt = twoThirds(notBefore, notAfter);
  // The server may suggest another time, which is asked for at once.
  const issued = {
    certificate,
    notBefore,
    notAfter,
    renewAt,
    checkAt: now(),
    retryAt: restAfter(renewAt, name.held, now()),
  };
  const { accountId } = name;
  const event = auditEvent({ kind: 'public_certificate.issued', at: now(), accountId, reason: name.name });
  await store.together(async () => {
    await store.acme.finishOrder(holder, name.id, issued);
    await store.audit.append([event]);
  });
  deps.audited(event);
  deps.log.info({ name: name.name, until: leaf.validTo }, 'Got a certificate');
}

/** The key and the address of the order are in the store before anything is done with it. */
async function begin(
  { connection, store, holder }: OrdererDeps,
  account: Signer,
  { id, name, held }: AcmeName,
): Promise<AcmeOrder> {
  const { renewalInfo } = await connection.directory();
  const former = held === null || renewalInfo === null ? null : await store.acme.certificate(id);
  const replaces = former === null ? null : renewalId(former);
  const url = await newOrder(connection, account, { name, replaces }).catch((error: unknown) => {
    // What it does not know, or has seen replaced, may still be ordered without that word.
    const isOfWord = error instanceof AcmeFault && (error.kind === 'replaced' || error.kind === 'order');
    if (replaces === null || !isOfWord) throw error;
    return newOrder(connection, account, { name, replaces: null });
  });
  const begun = { url, privateKey: newKey() };
  await store.acme.beginOrder(holder, id, begun);
  return begun;
}

/**
 * One that is to be renewed as soon as it came is of a clock that is wrong, one that follows such a young one
 * of a server that suggests it of each: the next would be as well.
 */
function restAfter(renewAt: number, former: HeldDates | null, now: number): number | null {
  if (renewAt <= now) return now + LONGEST_REST_MS;
  return former !== null && now - former.notBefore < YOUNG_MS ? now + YOUNG_MS : null;
}

function triesAfter({ now, random }: OrdererDeps, failures: number, error: unknown) {
  const asked = error instanceof AcmeFault ? (error.retryAfterMs ?? 0) : 0;
  const retryAt = now() + Math.max(retryInMs(failures + 1, random()), asked);
  // Name servers and programs say what they like; terminals show it.
  const said = error instanceof Error ? error.message : 'an unknown error';
  const lastFailure = said.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_FAILURE);
  return { failures: failures + 1, retryAt, lastFailure };
}

/** Another kind of challenge with each try. */
function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const at = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

const ENDS_ORDER: ReadonlySet<string> = new Set(['order', 'account', 'replaced']);
const YOUNG_MS = 60 * 60_000;
/** So many names after one another, and it is the server that is away. */
const MOST_REFUSED = 2;
/** An order that the server could not bear so often is given up for another. */
const MOST_TRIES_OF_ORDER = 3;
const NO_TRIES = { failures: 0, retryAt: null, lastFailure: null };
/** Whatever is due waits at most so long. */
const LOOK_MS = 20_000;
/** Three beats: should this gateway die, another goes on after a minute. */
const HOLD_MS = 60_000;
const BEAT_MS = 20_000;
const MAX_FAILURE = 400;
