// The parameters of an authorization response, before anything in them is believed.

import { hasRepeatedParameter } from '../domain/single-parameters.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { CallbackResponse } from './provider.ts';

/**
 * The response on the registered redirect URI. Throws `provider_error` when a parameter comes twice (RFC 6749
 * section 3.1: two readers might each believe another one) or `iss` is empty.
 */
export function readCallback(callback: CallbackResponse): URL {
  const { searchParams } = callback.url;
  if (hasRepeatedParameter(searchParams))
    throw new ServiceError('provider_error', 'Cannot read the login response: a parameter is repeated');
  if (searchParams.get('iss') === '')
    throw new ServiceError('provider_error', 'Cannot read the login response: its issuer is empty');
  const url = new URL(callback.redirectUri);
  url.search = callback.url.search;
  return url;
}
