// A provider's keys (RFC 7517), fetched no more often than its cache headers say, at once for a token that
// none of them signed, and never more often than a budget allows: anybody can send a logout token that names
// any key.

import { compactVerify, type JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../domain/service-error.ts';
import { type DocumentLimits, withinBytes } from './answer-limits.ts';
import type { OutboundFetch } from './dialler.ts';
import { isWithin } from './metadata-cache.ts';
import { faultOfStatus } from './provider-fault.ts';
import { readKeys, type VerifyingKeys } from './verifying-keys.ts';

export type KeySet = {
  /**
   * As the provider answers, for the verification of `jwt`; null when it is not known. Rejects as the fetch
   * did.
   */
  readonly answer: (jwt: string | null) => Promise<Response>;
  /** The key for this token. Rejects as `answer`, and when the provider gives no keys. */
  readonly find: JWTVerifyGetKey;
};

export type KeySetDeps = {
  readonly fetch: OutboundFetch;
  readonly limits: DocumentLimits;
  readonly now: () => number;
};

export function createKeySet(uri: string, { fetch, limits, now }: KeySetDeps): KeySet {
  const takesBudget = createBudget(now);
  const bounded = withinBytes(fetch, limits.bytes);
  let kept: Kept | null = null;
  let failed: { readonly at: number; readonly answer: Promise<Answer> } | null = null;
  let running: Promise<Answer> | null = null;
  const load = async (): Promise<Answer> => {
    try {
      const response = await bounded(uri, { method: 'GET', headers: HEADERS });
      const { status, headers } = response;
      if (status === 200) {
        const keys = readKeys(await response.text(), limits.keys);
        [kept, failed] = [{ keys, at: now(), freshMs: freshMs(headers) }, null];
        return kept;
      }
      const answer = { status, headers: pausing(headers) };
      failed = { at: now(), answer: Promise.resolve(answer) };
      return answer;
    } catch (error) {
      const answer = Promise.reject<Answer>(error);
      answer.catch(() => undefined);
      failed = { at: now(), answer };
      throw error;
    } finally {
      running = null;
    }
  };
  const found = async (jwt: string | null): Promise<Answer> => {
    const judged = kept;
    if (judged !== null && (await isGood(judged, jwt, now()))) return judged;
    // Fetched while that was found out: it could not be newer.
    if (kept !== null && kept !== judged) return kept;
    if (running !== null) return running;
    if (failed !== null && isWithin(now() - failed.at, KEY_SET_PAUSE_MS)) return failed.answer;
    if (!takesBudget() && kept !== null) return kept;
    running = load();
    return running;
  };
  return {
    answer: async (jwt) => toResponse(await found(jwt)),
    async find(header, token) {
      const { protected: head = '', payload, signature } = token;
      const answer = await found([head, payload, signature].join('.'));
      if ('keys' in answer) return answer.keys.find(header, token);
      const { status } = answer;
      throw new ServiceError(
        faultOfStatus(status),
        `Cannot read the keys of the provider: the status is ${status}`,
      );
    },
  };
}

/** Fresh, and with the key that signed it: a key may be replaced under the id that it had. */
async function isGood(
  { keys, at, freshMs: lifeMs }: Kept,
  jwt: string | null,
  now: number,
): Promise<boolean> {
  const ageMs = now - at;
  if (jwt === null) return isWithin(ageMs, KEY_SET_PAUSE_MS);
  if (!isWithin(ageMs, lifeMs)) return false;
  try {
    await compactVerify(jwt, keys.find);
    return true;
  } catch {
    return false;
  }
}

type Kept = { readonly keys: VerifyingKeys; readonly at: number; readonly freshMs: number };
type Answer = Kept | { readonly status: number; readonly headers: Headers };

/** Of a refusal nothing else is of use. */
function pausing(headers: Headers): Headers {
  return new Headers(
    PAUSE_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
  );
}

function toResponse(answer: Answer): Response {
  if (!('keys' in answer)) return new Response(null, answer);
  return new Response(answer.keys.text, { headers: { 'content-type': 'application/json' } });
}

/** RFC 9111: max-age without what a cache on the way used up of it. */
export function freshMs(headers: Headers): number {
  const control = headers.get('cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return SHORTEST_MS;
  const said = /\bmax-age=(\d{1,9})/i.exec(control)?.[1];
  if (said === undefined) return UNSAID_MS;
  const age = /^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? '0';
  return Math.min(Math.max((Number(said) - Number(age)) * 1000, SHORTEST_MS), LONGEST_MS);
}

/** Some fetches at once, and that many again in each while. */
function createBudget(now: () => number): () => boolean {
  let spent: readonly number[] = [];
  return () => {
    const at = now();
    spent = spent.filter((each) => isWithin(at - each, BUDGET_MS));
    if (spent.length >= BUDGET) return false;
    spent = [...spent, at];
    return true;
  };
}

const PAUSE_HEADERS = ['retry-after', 'date'];
const HEADERS = { accept: 'application/json, application/jwk-set+json' };
/** Within it an answer is as good as new, and a failure is not tried again. */
export const KEY_SET_PAUSE_MS = 5000;
/** A first fetch, a change of keys, and one more. */
export const BUDGET = 3;
const BUDGET_MS = BUDGET * KEY_SET_PAUSE_MS;
/**
 * `no-store` is said by frameworks more than by people, and keys change with announcement or under a new id.
 */
const SHORTEST_MS = 60 * 1000;
const UNSAID_MS = 10 * 60 * 1000;
/** A key that was taken back must not count for longer. */
const LONGEST_MS = 24 * 60 * 60 * 1000;
