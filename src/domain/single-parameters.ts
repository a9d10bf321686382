// A parameter given twice could be read differently by two readers (RFC 6749 section 3.1).

import { ServiceError } from './service-error.ts';

export function hasRepeatedParameter(parameters: URLSearchParams): boolean {
  return new Set(parameters.keys()).size !== parameters.size;
}

/** Throws `bad_request`. */
export function requireSingleParameters(query: URLSearchParams): void {
  if (hasRepeatedParameter(query))
    throw new ServiceError('bad_request', 'Cannot answer: a parameter is repeated');
}
