// Takes one order from wherever it is to its certificate (RFC 8555 section 7.4). Whatever was done before is
// seen in what the server says, so whoever goes on with it after a crash does nothing twice.
//
//   pending ──► each authorization: present, tell the server, wait ──► ready ──► request ──► processing ──► valid

import { createPrivateKey, createPublicKey, sign, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Secret } from '../domain/secret.ts';
import { serverRequest } from '../x509/server-request.ts';
import { AcmeFault, problemText } from './acme-fault.ts';
import type { AcmeConnection, Signer } from './connection.ts';
import {
  type Authorization,
  type Challenge,
  type ChallengeKind,
  type Order,
  orderOf,
  readAuthorization,
  readOrder,
} from './order.ts';

export type OrderWork = {
  readonly connection: AcmeConnection;
  readonly account: Signer;
  /** A host, or a host below a star. */
  readonly name: string;
  readonly orderUrl: string;
  /** The key that the certificate is for. */
  readonly privateKey: Secret;
  readonly now: () => number;
  /** The most wanted first. */
  readonly kinds: readonly ChallengeKind[];
  /** Resolves once the server may look. */
  readonly present: (challenge: Challenge, host: string) => Promise<void>;
  /** Rejects when this gateway is to stop. */
  readonly pause: (ms: number) => Promise<void>;
};

/** The chain, PEM, of a certificate that is for this name and key. Throws `AcmeFault`. */
export async function advanceOrder(work: OrderWork): Promise<string> {
  let order = await readOrder(work.connection, work.account, work.orderUrl);
  if (order.status === 'pending') {
    if (order.authorizations.length > MOST_AUTHORIZATIONS)
      throw new AcmeFault('order', `Cannot prove ${work.name}: the ACME server asks for too many proofs`);
    for (const url of order.authorizations) await authorize(work, url);
    order = await orderBeyond(work, 'pending');
  }
  if (order.status === 'ready') order = await finalize(work, order);
  if (order.status !== 'valid') order = await orderBeyond(work, 'processing', 'ready');
  if (order.certificate === null)
    throw new AcmeFault('order', 'Cannot fetch the certificate: the order names none');
  const { text } = await work.connection.post(order.certificate, null, work.account, 'fetch the certificate');
  requireFit(text, work);
  return text;
}

async function authorize(work: OrderWork, url: string): Promise<void> {
  const { connection, account } = work;
  let authorization = await readAuthorization(connection, account, url);
  requireAsked(authorization, work);
  if (authorization.status === 'valid') return;
  const challenge = challengeIn(authorization, work);
  if (authorization.status === 'pending' && challenge.status === 'pending') {
    await work.present(challenge, bareName(work));
    await connection.post(challenge.url, {}, account, 'ask for validation');
  }
  for (let asked = 0; asked < MOST_POLLS; asked++) {
    authorization = await readAuthorization(connection, account, url);
    if (authorization.status === 'valid') return;
    if (authorization.status !== 'pending') throw failedAuthorization(authorization, challenge);
    await work.pause(pollMs(asked, authorization.retryAfterMs));
  }
  throw new AcmeFault('later', `Cannot prove ${authorization.host}: the ACME server has not looked yet`);
}

/** The server chooses what it asks for; nothing is put in DNS, or answered, for another host. */
function requireAsked({ host }: Authorization, work: OrderWork): void {
  const asked = bareName(work);
  if (host.toLowerCase() === asked) return;
  throw new AcmeFault(
    'order',
    `Cannot prove ${asked}: the ACME server asks for a proof of ${host.slice(0, 100)}`,
  );
}

function bareName({ name }: OrderWork): string {
  return name.replace(/^\*\./, '');
}

/** The one that is under way; else the most wanted of those that are offered. */
function challengeIn({ challenges, host }: Authorization, { kinds }: OrderWork): Challenge {
  const usable = kinds.flatMap((kind) => challenges.filter((challenge) => challenge.kind === kind));
  const found = usable.find(({ status }) => status !== 'pending') ?? usable[0];
  if (found !== undefined) return found;
  throw new AcmeFault(
    'order',
    `Cannot prove ${host}: the ACME server offers none of ${kinds.join(', ') || 'the challenges set up here'}`,
  );
}

function failedAuthorization({ host, status, challenges }: Authorization, tried: Challenge): AcmeFault {
  const found = challenges.find(({ status: of }) => of === 'invalid') ?? tried;
  const why = found.error === undefined ? `it is ${status}` : problemText(found.error);
  return new AcmeFault('order', `Cannot prove ${host} by ${found.kind}: ${why}`);
}

async function finalize({ connection, account, ...work }: OrderWork, order: Order): Promise<Order> {
  const key = createPrivateKey(work.privateKey.reveal());
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const request = serverRequest({ names: [work.name], spki }, (bytes) =>
    sign('sha256', bytes, { key, dsaEncoding: 'der' }),
  );
  const csr = Buffer.from(request).toString('base64url');
  return orderOf(await connection.post(order.finalize, { csr }, account, 'finalize the order'));
}

/** The order once it is none of `statuses` any more. */
async function orderBeyond(work: OrderWork, ...statuses: readonly string[]): Promise<Order> {
  for (let asked = 0; asked < MOST_POLLS; asked++) {
    const order = await readOrder(work.connection, work.account, work.orderUrl);
    if (order.status === 'invalid')
      throw new AcmeFault('order', `Cannot get the certificate: ${problemText(order.error)}`);
    if (!statuses.includes(order.status)) return order;
    await work.pause(pollMs(asked, order.retryAfterMs));
  }
  throw new AcmeFault('later', 'Cannot get the certificate: the ACME server takes its time');
}

/** Nothing else is ever put to use. */
function requireFit(chain: string, { name, privateKey, now }: OrderWork): void {
  try {
    const leaf = new X509Certificate(chain);
    if (!leaf.checkPrivateKey(createPrivateKey(privateKey.reveal())))
      throw new Error('it is for another key');
    const host = name.replace(/^\*\./, 'x.');
    if (leaf.checkHost(host) === undefined) throw new Error(`it is not for ${name}`);
    if (!(Date.parse(leaf.validTo) > now()))
      throw new Error(`it expired on ${leaf.validTo}, by the clock of this machine`);
    createSecureContext({ cert: chain, key: privateKey.reveal() });
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new AcmeFault('order', `Cannot use the certificate: ${found}`, { cause });
  }
}

/** Soon at first, then as the server says, or every few seconds. */
function pollMs(asked: number, retryAfterMs: number | null): number {
  return Math.min(retryAfterMs ?? Math.min(FIRST_POLL_MS * 2 ** asked, LONGEST_POLL_MS), MOST_WAIT_MS);
}

/** One name takes one; some servers keep others from before. */
const MOST_AUTHORIZATIONS = 4;
const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 5_000;
/** An order under way must not hold up the others for as long as a server likes. */
const MOST_WAIT_MS = 15_000;
/** A minute and a half. What takes longer is taken up again by the next try. */
const MOST_POLLS = 20;
