// The dialler for JSON calls out: providers, what their discovery names, and webhooks (DESIGN "Calls out").
// https, or http to this machine; no redirects; at most 1 MiB and 10 s; 16 calls at once. It never retries
// and keeps no connection.

import { portOf } from '../domain/url-place.ts';
import { unlessAborted } from '../domain/in-time.ts';
import { isLoopbackName } from '../domain/host-name.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { FaultCode } from '../domain/service-error.ts';
import { checkTarget } from './dial-target.ts';
import type { DialAddress, DialRules } from './dial-target.ts';
import { nameLookup } from './name-places.ts';
import { spanScope } from '../domain/span-scope.ts';
import { createFairPlaces, type PlacesClock } from '../domain/fair-places.ts';
import { type AnswerLimits, ANY_ANSWERS, exchangeOnce } from './outbound-exchange.ts';

/**
 * Like `fetch`, with a buffered body. A redirect comes back as the 3xx that it is. Throws `refused` for an
 * address or answer that is not acceptable, `unreachable` for anything worth trying again.
 */
export type OutboundFetch = (url: string, request: OutboundRequest) => Promise<Response>;

export type OutboundRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
  /** PEM: the authorities that may vouch for the server; the public ones unless said. */
  readonly trustedAuthorities?: string;
  /** How long an answer may be, where that is less than for others. */
  readonly maxBytes?: number;
};

export type Dialler = { readonly fetch: OutboundFetch };

export type DiallerOptions = Pick<DialRules, 'allow' | 'ownListeners' | 'lookup'> & {
  readonly refused: FaultCode;
  readonly unreachable: FaultCode;
  /** Whose names they are (`laneOf`), for all but the operator's. Those that do not say share one. */
  readonly lane?: string;
  /** `CALL_LIMIT_MS` unless said. */
  readonly callLimitMs?: number;
  /** `ANY_ANSWERS` unless said. */
  readonly answers?: AnswerLimits;
  /**
   * How long one of the calls at once counts as under way at least: that bounds how many there are in a
   * while.
   */
  readonly heldMs?: number;
};

/**
 * One for each configured provider, and one for each account, so that nobody's stalling server holds up
 * another's.
 */
export function createDialler(options: DiallerOptions): Dialler {
  const { answers = ANY_ANSWERS, heldMs = 0 } = options;
  const held = { ms: heldMs, clock: CLOCK };
  const places = createFairPlaces({ atOnce: CALLS_AT_ONCE, waiting: MAX_WAITING, held });
  const rules = {
    // What the operator names waits for nothing that accounts name.
    ...(options.allow === 'operator' ? {} : { lookup: nameLookup(options.lane ?? '') }),
    ...options,
    unresolved: options.unreachable,
  };
  return {
    async fetch(address, request) {
      const ended = spanScope.getStore()?.call(request.method, URL.parse(address)?.hostname ?? '');
      try {
        const answer = await fetchOnce(address, request);
        ended?.(answer.status);
        return answer;
      } catch (error) {
        ended?.(null);
        throw error;
      }
    },
  };
  async function fetchOnce(address: string, request: OutboundRequest): Promise<Response> {
    const limit = AbortSignal.timeout(options.callLimitMs ?? CALL_LIMIT_MS);
    const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit;
    const url = acceptableUrl(address, options);
    const leave = await orAborted(places.enter('', signal), signal, options);
    try {
      const dial = await orAborted(checkTarget(targetOf(url), rules), signal, options);
      refusePlainHttp(url, dial, options);
      const body = bodyOf(request.body, options);
      const within = { ...answers, bytes: Math.min(answers.bytes, request.maxBytes ?? answers.bytes) };
      return await exchangeOnce({ url, dial, signal, body, within, ...headOf(request) }, options);
    } finally {
      leave();
    }
  }
}

function acceptableUrl(address: string, options: DiallerOptions): URL {
  const url = URL.parse(address);
  if (url === null || !(url.protocol === 'https:' || url.protocol === 'http:'))
    throw new ServiceError(
      options.refused,
      'Cannot send the request: the address is not an http or https URL',
    );
  if (url.username !== '' || url.password !== '')
    throw new ServiceError(options.refused, `Cannot call ${url.host}: its URL contains credentials`);
  return url;
}

function targetOf(url: URL) {
  return {
    host: url.hostname,
    port: portOf(url),
  };
}

/** Over http, anybody on the way could answer for the provider; only this machine has no way in between. */
function refusePlainHttp(url: URL, dial: DialAddress, options: DiallerOptions): void {
  if (url.protocol === 'https:') return;
  if ([dial, ...dial.others].every(({ address }) => isLoopbackName(address))) return;
  throw new ServiceError(options.refused, `Cannot call ${url.host}: it is neither https nor on this machine`);
}

function headOf({ method, headers, trustedAuthorities }: OutboundRequest) {
  return { method, headers, trustedAuthorities: trustedAuthorities ?? null };
}

function bodyOf(body: unknown, options: DiallerOptions): Buffer | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new ServiceError(options.refused, 'Cannot send the request: the body has an unknown type');
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal, options: DiallerOptions): Promise<T> {
  try {
    return await unlessAborted(work, signal);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const found = cause instanceof Error ? cause.message : 'it was aborted';
    throw new ServiceError(options.unreachable, `Cannot send the request: ${found}`, { cause });
  }
}

const CLOCK: PlacesClock = { now: () => performance.now(), after: (ms, run) => setTimeout(run, ms) };
/** DESIGN 3: the whole of a call, waiting for a place, resolving and reading the answer included. */
export const CALL_LIMIT_MS = 10_000;
/** DESIGN 3: what one slow server may occupy. */
export const CALLS_AT_ONCE = 16;
/**
 * Beyond it a caller would wait longer than its limit anyway: 16 at once, each for some 100 ms, within 10 s.
 */
const MAX_WAITING = 1024;
