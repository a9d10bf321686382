// Orders and authorizations as an ACME server tells of them (RFC 8555 section 7.1): read strictly, since what
// they name is called. Asks and reads; who goes on with them is `advance-order.ts`.

import { AcmeFault } from './acme-fault.ts';
import { type AcmeAnswer, type AcmeConnection, type Signer, textIn } from './connection.ts';

export type OrderStatus = 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';

export type Order = {
  readonly status: OrderStatus;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | null;
  readonly error: unknown;
  /** How long to wait before it is asked for again. */
  readonly retryAfterMs: number | null;
};

export type ChallengeKind = 'http-01' | 'tls-alpn-01' | 'dns-01';

export type Challenge = {
  readonly kind: ChallengeKind;
  readonly url: string;
  readonly token: string;
  readonly status: string;
  readonly error: unknown;
};

export type Authorization = {
  readonly status: string;
  /** Without the star of a wildcard. */
  readonly host: string;
  readonly challenges: readonly Challenge[];
  readonly retryAfterMs: number | null;
};

/** `replaces`: the renewal id of the certificate that this one follows (RFC 9773 section 5). */
export async function newOrder(
  connection: AcmeConnection,
  as: Signer,
  { name, replaces }: { readonly name: string; readonly replaces: string | null },
): Promise<string> {
  const { newOrder: url } = await connection.directory();
  const identifiers = [{ type: 'dns', value: name }];
  const payload = { identifiers, ...(replaces === null ? {} : { replaces }) };
  const { location } = await connection.post(url, payload, as, 'order a certificate');
  if (location === null)
    throw new AcmeFault('order', 'Cannot order a certificate: the ACME server gave no address of the order');
  return location;
}

export async function readOrder(connection: AcmeConnection, as: Signer, url: string): Promise<Order> {
  return orderOf(await connection.post(url, null, as, 'read an order'));
}

export async function readAuthorization(
  connection: AcmeConnection,
  as: Signer,
  url: string,
): Promise<Authorization> {
  const { body, retryAfterMs } = await connection.post(url, null, as, 'read an authorization');
  const { identifier, challenges } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const host = textIn(identifier, 'value');
  const status = textIn(body, 'status');
  if (host === null || status === null || !Array.isArray(challenges)) throw unreadable('an authorization');
  return { status, host, challenges: challenges.flatMap(challengeOf), retryAfterMs };
}

export function orderOf({ body, retryAfterMs }: AcmeAnswer): Order {
  const status = ORDER_STATUSES.find((each) => each === textIn(body, 'status'));
  const finalize = textIn(body, 'finalize');
  const { authorizations, error = null } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (status === undefined || finalize === null || !isTexts(authorizations)) throw unreadable('an order');
  return {
    status,
    finalize,
    authorizations,
    certificate: textIn(body, 'certificate'),
    error,
    retryAfterMs,
  };
}

/** Kinds that are not known here, and tokens that are none (RFC 8555 section 8.1), are no challenges. */
function challengeOf(challenge: unknown): readonly Challenge[] {
  const kind = CHALLENGE_KINDS.find((each) => each === textIn(challenge, 'type'));
  const [url, token, status] = ['url', 'token', 'status'].map((name) => textIn(challenge, name));
  if (kind === undefined || !url || !token || !status || !TOKEN.test(token)) return [];
  return [{ kind, url, token, status, error: (challenge as Readonly<Record<string, unknown>>)['error'] }];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function unreadable(what: string): AcmeFault {
  return new AcmeFault('later', `Cannot read ${what}: the ACME server's answer is none`);
}

/** RFC 8555 section 8.1: base64url, 128 bits at least; long ones are somebody else's. */
export const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;
const ORDER_STATUSES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;
const CHALLENGE_KINDS = ['http-01', 'tls-alpn-01', 'dns-01'] as const;
