// A fault as a problem document (RFC 9457) with a stable `code` and the request id.

import type { ServiceError } from '../domain/service-error.ts';
import type { Answer } from './answer.ts';
import { GUARD_HEADERS } from './content-security.ts';
import { faultHeaders } from './fault-headers.ts';
import { FAULT_TEXTS } from './fault-text.ts';
import { requestIdHeader } from './page.ts';

/** `{title, status, detail, hint?, code, request_id}` and the fault's `extra` members. */
export function problemAnswer(error: ServiceError, requestId: string): Answer {
  const { status, title } = error.fault;
  const document = {
    ...error.extra,
    title,
    status,
    detail: publicDetail(error),
    ...(error.hint === null || status >= 500 ? {} : { hint: error.hint }),
    code: error.code,
    request_id: requestId,
  };
  return {
    status,
    headers: [
      ['content-type', 'application/problem+json'],
      ...GUARD_HEADERS,
      ...faultHeaders(error),
      requestIdHeader(requestId),
    ],
    body: `${JSON.stringify(document)}\n`,
  };
}

/**
 * What anybody may read of a fault: below 500 its message; from 500 on the public text of the code, since the
 * message may name what is behind the door.
 */
export function publicDetail({ code, fault, message }: ServiceError): string {
  return fault.status < 500 && message !== '' ? message : FAULT_TEXTS[code].what;
}
