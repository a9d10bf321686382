// Certificates for share hosts when they are first needed. Strangers choose when: so each host is asked for
// once however many wait, few begin in an hour, and whoever waits does so for seconds only.

import type { AccountId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { AcmeLimits, AcmeTable } from '../store/acme/acme.ts';

export type FirstUseDeps = {
  readonly acme: Pick<AcmeTable, 'want' | 'find'>;
  /** The name whose certificate serves that host; null for no host of ours. */
  readonly nameOf: (host: string) => { readonly name: string; readonly accountId: AccountId | null } | null;
  readonly isServed: (host: string) => boolean;
  /** Something is to be ordered. */
  readonly wake: () => void;
  readonly now: () => number;
  readonly log: Log;
};

export type FirstUse = {
  /** Resolves once that host is served, or is not to be now. Never rejects. */
  readonly awaited: (host: string) => Promise<void>;
  /** What is served changed. */
  readonly look: () => void;
  readonly stop: () => void;
};

export function createFirstUse(deps: FirstUseDeps): FirstUse {
  const { isServed, now } = deps;
  const waiting = new Map<string, { readonly promise: Promise<void>; readonly end: () => void }>();
  /** Until when a host is not asked for again. */
  const resting = new Map<string, number>();
  const awaited = (host: string): Promise<void> => {
    if (isServed(host)) return Promise.resolve();
    const known = waiting.get(host);
    if (known !== undefined) return known.promise;
    if ((resting.get(host) ?? 0) > now() || waiting.size >= MAX_WAITING) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      waiting.delete(host);
      if (!isServed(host)) rest(host);
      resolve();
    };
    const timer = setTimeout(end, WAIT_MS).unref();
    waiting.set(host, { promise, end });
    void (async () => {
      if (!(await begin(deps, host)) || isServed(host)) end();
    })();
    return promise;
  };
  const rest = (host: string): void => {
    if (resting.size >= MAX_WAITING) resting.clear();
    resting.set(host, now() + REST_MS);
  };
  return {
    awaited,
    look: () => {
      for (const [host, { end }] of waiting) if (isServed(host)) end();
    },
    stop: () => {
      for (const { end } of waiting.values()) end();
    },
  };
}

/** Whether waiting is worth it. */
async function begin({ acme, nameOf, wake, now, log }: FirstUseDeps, host: string): Promise<boolean> {
  const wanted = nameOf(host);
  if (wanted === null) return false;
  try {
    const known = await acme.find(wanted.name);
    // One that failed is tried again when it is time, and not for whoever asks.
    if (known !== null) return known.failures === 0;
    const begun = await acme.want({ ...wanted, at: now() }, FIRST_USE_LIMITS);
    if (begun === 'later') log.warn({ host }, 'Too many hosts want a first certificate: this one waits');
    else wake();
    return begun !== 'later';
  } catch (error) {
    log.warn({ err: error, host }, 'Cannot ask for a certificate');
    return false;
  }
}

/** Below what public servers allow for one domain in a week and one account in three hours. */
export const FIRST_USE_LIMITS: AcmeLimits = {
  most: 10_000,
  mostOfWindow: 30,
  mostOfAccount: 10,
  windowMs: 60 * 60_000,
};
/** Below the limit of a handshake. */
const WAIT_MS = 8_000;
/** A host that could not be had is asked for a few times a minute, whoever visits it. */
const REST_MS = 15_000;
const MAX_WAITING = 500;
