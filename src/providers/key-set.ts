// A provider's keys (RFC 7517), fetched no more often than its cache headers say, at once for a token that none of them signed,
// and never more often than a budget allows: anybody can send a logout token that names any key.

import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { OutboundFetch } from './dialler.ts';
import { isWithin } from './metadata-cache.ts';

/** As the provider answers, for the verification of `jwt`; null when it is not known. Rejects as the fetch did. */
export type KeySet = (jwt: string | null) => Promise<Response>;

export function createKeySet(uri: string, fetch: OutboundFetch, now: () => number): KeySet {
  const takesBudget = createBudget(now);
  let kept: Answer | null = null;
  let failed: { readonly at: number; readonly answer: Promise<Answer> } | null = null;
  let running: Promise<Answer> | null = null;
  const load = async (): Promise<Answer> => {
    try {
      const answer = await keep(await fetch(uri, { method: 'GET', headers: HEADERS }), now());
      if (answer.status === 200) [kept, failed] = [answer, null];
      else failed = { at: now(), answer: Promise.resolve(answer) };
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
  return async (jwt) => toResponse(await found(jwt));
}

/** Fresh, and with the key that signed it: a key may be replaced under the id that it had. */
async function isGood(keys: Answer, jwt: string | null, now: number): Promise<boolean> {
  const ageMs = now - keys.at;
  if (jwt === null) return isWithin(ageMs, KEY_SET_PAUSE_MS);
  if (!isWithin(ageMs, keys.freshMs)) return false;
  try {
    await compactVerify(jwt, createLocalJWKSet(JSON.parse(keys.body ?? '') as JSONWebKeySet));
    return true;
  } catch {
    return false;
  }
}

type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | null;
  readonly at: number;
  readonly freshMs: number;
};

async function keep(response: Response, at: number): Promise<Answer> {
  const { status, headers } = response;
  const body = response.body === null ? null : await response.text();
  return { status, headers, body, at, freshMs: freshMs(headers) };
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
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

const HEADERS = { accept: 'application/json, application/jwk-set+json' };
/** Within it an answer is as good as new, and a failure is not tried again. */
export const KEY_SET_PAUSE_MS = 5000;
/** A first fetch, a change of keys, and one more. */
export const BUDGET = 3;
const BUDGET_MS = BUDGET * KEY_SET_PAUSE_MS;
/** `no-store` is said by frameworks more than by people, and keys change with announcement or under a new id. */
const SHORTEST_MS = 60 * 1000;
const UNSAID_MS = 10 * 60 * 1000;
/** A key that was taken back must not count for longer. */
const LONGEST_MS = 24 * 60 * 60 * 1000;
