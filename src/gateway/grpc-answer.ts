// Refusals in the words of gRPC (its protocol over HTTP/2, "Responses"): its clients take status and message
// from `grpc-status` and `grpc-message`, and only of an answer 200 that ends with its head; of any other they
// guess the one and drop the other.

import { isReservedPath } from '../domain/reserved-path.ts';
import type { ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import { requestIdHeader } from '../http/page.ts';
import { publicDetail } from '../http/problem.ts';
import type { HeadFacts } from './head-facts.ts';
import type { Visit } from './visit.ts';

/** By its content type: `application/grpc`, `application/grpc+proto`, not `application/grpc-web`. */
export function isGrpc({ contentType }: Pick<HeadFacts, 'contentType'>): boolean {
  return contentType !== null && GRPC.test(contentType);
}

/**
 * Whether whoever asked can be answered so: a call by HTTP/2 for an app. Below `/.svc/` proxies ask, and take
 * any 200 for leave.
 */
export function wantsGrpc({ exchange, facts, request }: Visit): boolean {
  if (exchange.protocol !== 'HTTP/2' || exchange.method !== 'POST' || !isGrpc(facts)) return false;
  return request !== null && !isReservedPath(request.target);
}

/** As much of the fault as a problem document tells, in one line. */
export function grpcAnswer(error: ServiceError, requestId: string): Answer {
  return {
    status: 200,
    headers: [
      ['content-type', 'application/grpc'],
      ['grpc-status', String(STATUS_OF.get(error.fault.status) ?? UNKNOWN)],
      ['grpc-message', percentEncoded(`${publicDetail(error)} (${error.code})`)],
      ['cache-control', 'no-store'],
      requestIdHeader(requestId),
    ],
    body: null,
  };
}

/** All but visible ASCII and blanks. */
function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

const GRPC = /^application\/grpc(?:\+[^;,\s]+)?\s*(?:;|$)/i;
const UNKNOWN = 2;
/** What gRPC's clients make of a status of HTTP by themselves ("HTTP to gRPC Status Code Mapping"). */
const STATUS_OF: ReadonlyMap<number, number> = new Map([
  [400, 13],
  [401, 16],
  [403, 7],
  [404, 12],
  [429, 14],
  [502, 14],
  [503, 14],
  [504, 14],
]);
