// One look at an address while a provider is examined: what answered, or in few words why nothing did. Bodies
// are read as JSON or not at all, and never shown.

import { ServiceError } from '../domain/service-error.ts';
import type { OutboundFetch, OutboundRequest } from './dialler.ts';

export type Look =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      /** Null when the body is no JSON object. */
      readonly document: Readonly<Record<string, unknown>> | null;
    }
  /** `reason` is public to whoever named the address: it tells no more than the dialler does. */
  | { readonly kind: 'none'; readonly reason: string };

/** Never rejects. `url` is outside input too. */
export async function look(
  fetch: OutboundFetch,
  url: string,
  request: Omit<OutboundRequest, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Look> {
  const headers = { accept: 'application/json', 'user-agent': 'doorward', ...request.headers };
  return lookAt(() => fetch(url, { ...request, headers }));
}

/** What became of a call that somebody else made. Reads the body. Never rejects. */
export async function lookAt(call: () => Promise<Response>): Promise<Look> {
  try {
    const response = await call();
    return {
      kind: 'answer',
      status: response.status,
      headers: response.headers,
      document: parseObject(await response.text()),
    };
  } catch (error) {
    return { kind: 'none', reason: reasonOf(error) };
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  for (let each = error, depth = 0; each instanceof Error && depth < MAX_CAUSES; each = each.cause, depth++) {
    if (each instanceof DOMException) return LATE;
    const known = REASONS[String((each as NodeJS.ErrnoException).code)];
    if (known !== undefined) return known;
  }
  if (!(error instanceof ServiceError)) return 'it could not be called';
  if (error.message.startsWith('Cannot resolve')) return 'its name does not resolve';
  const said = error.message.replace(/^Cannot \w+ [^:]*(?::\d+)?: /, '');
  return said.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON);
}

const LATE = 'it did not answer in time';
const UNTRUSTED = 'its certificate is not from a trusted certificate authority';
const REASONS: Readonly<Record<string, string>> = {
  ABORT_ERR: LATE,
  ETIMEDOUT: LATE,
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};
/** The dialler wraps what node:https throws, which may wrap one error for each address. */
const MAX_CAUSES = 5;
/** Enough to tell what to mend. */
const MAX_REASON = 200;
