// What a visitor is told when the way to a backend fails; the cause goes to the log.

import { ServiceError } from '../domain/service-error.ts';
import type { UpstreamError } from './upstream/upstream-error.ts';

/** What an upstream fault is to the visitor. */
export function backendFault(error: UpstreamError): ServiceError {
  const { cause } = error;
  if (cause instanceof ServiceError) return cause;
  if (error.code === 'connect_timeout' || error.code === 'busy')
    return new ServiceError('backend_timeout', 'Cannot forward a request: the backend is too slow', {
      cause: error,
    });
  if (error.code === 'body_mismatch')
    return new ServiceError(
      'bad_request',
      'Cannot forward a request: its body does not match its Content-Length',
    );
  return new ServiceError('backend_down', 'Cannot forward a request: the backend does not answer', {
    cause: error,
  });
}
