// A connection to one ACME server (RFC 8555 sections 6 and 7.1): its directory, nonces, signed requests. A
// nonce that is refused is replaced by the one that came with the refusal (section 6.5).

import type { OutboundFetch } from '../providers/dialler.ts';
import { retryAfterSeconds } from '../providers/retry-after.ts';
import { AcmeFault, problemFault } from './acme-fault.ts';
import { type AccountKey, type ProtectedHeader, signedJson } from './jws.ts';

export type AcmeAnswer = {
  readonly status: number;
  /** Parsed JSON; null when it is none. */
  readonly body: unknown;
  readonly text: string;
  readonly location: string | null;
  readonly retryAfterMs: number | null;
};

export type Directory = {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly keyChange: string | null;
  /** Null where the server has no renewal information (RFC 9773). */
  readonly renewalInfo: string | null;
  readonly termsOfService: string | null;
  /** Whether accounts are registered only with an external one (RFC 8555 section 7.1.1). */
  readonly externalAccountRequired: boolean;
};

/** Who signs: a known account by its URL, or a key by itself. */
export type Signer = AccountKey & { readonly kid: string | null };

export type AcmeConnection = {
  readonly directory: () => Promise<Directory>;
  /** `doing` completes "Cannot …". Throws `AcmeFault` for whatever is no 2xx. */
  readonly post: (url: string, payload: unknown, as: Signer, doing: string) => Promise<AcmeAnswer>;
  readonly get: (url: string, doing: string) => Promise<AcmeAnswer>;
};

export type ConnectionOptions = {
  readonly directoryUrl: string;
  /** To where the directory is, which the operator names. */
  readonly fetch: OutboundFetch;
  /** To other places that the server names: public addresses alone. */
  readonly fetchElsewhere: OutboundFetch;
  /** PEM: who vouches for the server; null for the public authorities. */
  readonly trustedAuthorities: string | null;
  readonly now: () => number;
};

export function createConnection(options: ConnectionOptions): AcmeConnection {
  const { directoryUrl, now } = options;
  let known: { readonly directory: Directory; readonly at: number } | null = null;
  const nonces: string[] = [];

  const send = async (url: string, doing: string, request: { method: string; body?: string }) => {
    const { answer, nonce } = await exchange(options, url, { ...request, doing });
    if (nonce !== null) nonces.push(nonce);
    if (nonces.length > MAX_NONCES) nonces.shift();
    return answer;
  };
  const directory = async (): Promise<Directory> => {
    if (known !== null && Math.abs(now() - known.at) < DIRECTORY_LASTS_MS) return known.directory;
    const doing = 'read the directory';
    const { status, body, retryAfterMs } = await send(directoryUrl, doing, { method: 'GET' });
    if (status !== 200) throw problemFault(status, body, { doing, retryAfterMs });
    known = { directory: directoryOf(body), at: now() };
    return known.directory;
  };
  const nonce = async (): Promise<string> => {
    const kept = nonces.pop();
    if (kept !== undefined) return kept;
    await send((await directory()).newNonce, 'get a nonce', { method: 'HEAD' });
    const fresh = nonces.pop();
    if (fresh === undefined) throw new AcmeFault('server', 'Cannot get a nonce: the ACME server gave none');
    return fresh;
  };
  return {
    directory,
    get: async (url, doing) => accepted(await send(url, doing, { method: 'GET' }), doing),
    async post(url, payload, as, doing) {
      for (let left = BAD_NONCES; ; left--) {
        const header: ProtectedHeader = {
          ...(as.kid === null ? { jwk: as.jwk } : { kid: as.kid }),
          nonce: await nonce(),
          url,
        };
        const body = JSON.stringify(signedJson(payload, header, as));
        const answer = await send(url, doing, { method: 'POST', body });
        // The newest nonce is the one that came with the refusal.
        if (left > 0 && isBadNonce(answer)) continue;
        return accepted(answer, doing);
      }
    },
  };
}

function accepted(answer: AcmeAnswer, doing: string): AcmeAnswer {
  const { status, body, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return answer;
  throw problemFault(status, body, { doing, retryAfterMs });
}

type Sent = { readonly method: string; readonly body?: string; readonly doing: string };

async function exchange(
  { directoryUrl, fetch, fetchElsewhere, trustedAuthorities, now }: ConnectionOptions,
  url: string,
  { method, body, doing }: Sent,
): Promise<{ readonly answer: AcmeAnswer; readonly nonce: string | null }> {
  let response: Response;
  let text: string;
  try {
    const isAtDirectory = URL.parse(url)?.origin === new URL(directoryUrl).origin;
    response = await (isAtDirectory ? fetch : fetchElsewhere)(url, {
      method,
      headers: {
        'user-agent': 'doorward',
        ...(body === undefined ? {} : { 'content-type': 'application/jose+json' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(trustedAuthorities === null ? {} : { trustedAuthorities }),
    });
    text = await response.text();
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : 'it does not answer';
    throw new AcmeFault('server', `Cannot ${doing}: ${found}`, { cause });
  }
  const seconds = retryAfterSeconds(response.headers, now(), MAX_RETRY_AFTER_SECONDS);
  const answer = {
    status: response.status,
    body: jsonOf(text),
    text,
    location: response.headers.get('location'),
    retryAfterMs: seconds === null ? null : seconds * 1000,
  };
  const nonce = response.headers.get('replay-nonce');
  return { answer, nonce: nonce !== null && NONCE.test(nonce) ? nonce : null };
}

function isBadNonce({ status, body }: AcmeAnswer): boolean {
  return status === 400 && textIn(body, 'type') === 'urn:ietf:params:acme:error:badNonce';
}

function directoryOf(body: unknown): Directory {
  const needed = (name: string): string => {
    const url = textIn(body, name);
    if (url === null || URL.parse(url) === null)
      throw new AcmeFault('server', `Cannot read the directory: it names no ${name}`);
    return url;
  };
  const meta = typeof body === 'object' && body !== null && 'meta' in body ? body.meta : null;
  return {
    newNonce: needed('newNonce'),
    newAccount: needed('newAccount'),
    newOrder: needed('newOrder'),
    keyChange: textIn(body, 'keyChange'),
    renewalInfo: textIn(body, 'renewalInfo'),
    termsOfService: textIn(meta, 'termsOfService'),
    externalAccountRequired:
      typeof meta === 'object' &&
      meta !== null &&
      'externalAccountRequired' in meta &&
      meta.externalAccountRequired === true,
  };
}

/** A member of an answer that is a text; null when it is none. */
export function textIn(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const value = (body as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** RFC 8555 section 6.5.1. */
const NONCE = /^[A-Za-z0-9_-]{1,256}$/;
/** Servers forget those that are old; more than are used at once are of no use. */
const MAX_NONCES = 4;
/** A server that refuses more in a row refuses every one. */
const BAD_NONCES = 6;
const DIRECTORY_LASTS_MS = 60 * 60_000;
/** Limits of public servers last days; what a day later still holds is said again. */
const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60;
