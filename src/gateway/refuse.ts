// Answers that the gate gives itself: refusals as page or problem document, redirects, small JSON.

import { CERTIFICATE_REFUSALS } from '../domain/client-certificate.ts';
import type { ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import { faultAnswer, placeText } from '../http/fault-answer.ts';
import type { Brand, PageAction } from '../http/page-html.ts';
import { wantsPage } from '../http/wants-page.ts';
import { grpcAnswer, wantsGrpc } from './grpc-answer.ts';
import type { HeadFacts } from './head-facts.ts';
import type { Visit } from './visit.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

export type RefusalExtras = {
  /** Whether a page is given; what the request wants unless said. */
  readonly page?: boolean;
  readonly actions?: readonly PageAction[];
  readonly details?: readonly { readonly label: string; readonly value: string }[];
  readonly headers?: Answer['headers'];
  /** When the page tries again by itself; null or absent: it does not. */
  readonly againSeconds?: number | null;
};

/**
 * Answers a fault. What could not be understood ends its connection, since nobody knows where the next
 * request begins; so does a certificate that does not count.
 */
export function refuse(visit: Visit, brand: Brand, error: ServiceError, extras: RefusalExtras = {}): void {
  const { headers = [], page = pageWanted(visit), ...shown } = extras;
  visit.reason = error.code;
  if (wantsGrpc(visit)) {
    sendAnswer(visit, grpcAnswer(error, visit.id), CLOSING.has(error.code));
    // For log and figures it is the refusal that it is.
    visit.status = error.fault.status;
    return;
  }
  const answer = faultAnswer(error, {
    page,
    brand,
    requestId: visit.id,
    place: placeOf(visit),
    app: appOf(visit),
    ...shown,
  });
  sendAnswer(visit, { ...answer, headers: [...answer.headers, ...headers] }, CLOSING.has(error.code));
}

/** Sends an answer of the gate's own. HEAD gets the headers of GET, Content-Length included, and no body. */
export function sendAnswer(visit: Visit, answer: Answer, closeAfter = false): void {
  const { exchange } = visit;
  const body = answer.body === null ? EMPTY : Buffer.from(answer.body);
  const hasBody = exchange.method !== 'HEAD' && body.byteLength > 0;
  const headers = answer.headers.flat();
  if (answer.status !== 204 && answer.status !== 304) headers.push('Content-Length', String(body.byteLength));
  visit.status = answer.status;
  const reason = STATUS_CODES[answer.status] ?? '';
  exchange.head({ status: answer.status, reason, headers, hasBody, mayHaveTrailers: false, closeAfter });
  if (hasBody) {
    visit.bytesSent += body.byteLength;
    exchange.write(body);
  }
  exchange.end([]);
}

function placeOf({ request }: Visit): string | null {
  return request === null ? null : placeText(request.authority, request.target);
}

/** The share's name where the host says it, too: of a custom host nobody else knows which share it is. */
function appOf({ share, request }: Visit): string | null {
  return share !== null && request?.host.startsWith(`${share.name}.`) === true ? share.name : null;
}

function pageWanted({ exchange, facts }: Visit): boolean {
  return wantsPage({ method: exchange.method, headers: (name) => headerOf(facts, name) });
}

function headerOf(facts: HeadFacts, name: string): string | undefined {
  const field = PAGE_FIELDS[name];
  return field === undefined ? undefined : (facts[field] ?? undefined);
}

const PAGE_FIELDS: Readonly<Record<string, 'upgrade' | 'requestedWith' | 'fetchMode' | 'accept'>> = {
  upgrade: 'upgrade',
  'x-requested-with': 'requestedWith',
  'sec-fetch-mode': 'fetchMode',
  accept: 'accept',
};
const CLOSING: ReadonlySet<string> = new Set([
  'bad_request',
  'headers_too_large',
  'request_timeout',
  // A connection has one certificate for as long as it lives.
  ...CERTIFICATE_REFUSALS,
]);
const EMPTY = Buffer.alloc(0);
