// Revocation lists over plain HTTP (RFC 5280 section 8), as certificates name them: of what the control API
// serves these alone. They are signed, and whoever checks a certificate may have no TLS yet. `ca.pem` is not
// among them: nothing vouches for whom to trust but the connection that it comes by.

import type { RequestListener } from 'node:http';
import { ServiceError } from '../../domain/service-error.ts';
import { sendAnswer } from '../../http/answer.ts';
import { newRequestId } from '../../http/listener.ts';
import { problemAnswer } from '../../http/problem.ts';

/** `controlApi` answers what is let through. */
export function plainLists(controlApi: RequestListener): RequestListener {
  return (request, response) => {
    const refused = refusal(request.method ?? '', request.url ?? '');
    if (refused === null) controlApi(request, response);
    else sendAnswer(request, response, problemAnswer(refused, newRequestId()));
  };
}

function refusal(method: string, target: string): ServiceError | null {
  if (!LIST.test(target.split('?', 1)[0] ?? ''))
    return new ServiceError(
      'not_found',
      'Cannot find it: this address serves only certificate revocation lists',
      {
        hint: 'Everything else, such as ca.pem, is at control.public_url.',
      },
    );
  if (method === 'GET' || method === 'HEAD') return null;
  return new ServiceError('method_not_allowed', 'Cannot change a revocation list: it is read-only', {
    extra: { allow: 'GET, HEAD' },
  });
}

const LIST = /^\/pki\/[\w-]+\/(?:crl\.der|crl\.pem|[\w-]+\.crl)$/;
