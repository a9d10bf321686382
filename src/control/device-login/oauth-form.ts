// What programs send to the endpoints of OAuth, and how they are refused there (RFC 6749 sections 3.2 and
// 5.2, RFC 8628 section 3.5).

import type { HonoRequest } from 'hono';
import { hasRepeatedParameter } from '../../domain/single-parameters.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { isFormType } from '../../http/form-type.ts';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

/** An answer that the flow knows, rather than a fault. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
  }
}

/**
 * The parameters of a program's form. Throws `foreign_origin` for what a browser sends: no page has business
 * here, and one of another site could begin logins in the name of its visitors' networks. Throws `OAuthError`
 * for a form that is none.
 */
export async function readForm(request: HonoRequest): Promise<URLSearchParams> {
  if (request.header('origin') !== undefined || request.header('sec-fetch-site') !== undefined)
    throw new ServiceError('foreign_origin', 'Cannot answer a browser here: this endpoint is for programs');
  if (!isFormType(request.header('content-type')))
    throw new OAuthError('invalid_request', 'send application/x-www-form-urlencoded');
  const text = await request.text();
  if (text.length > MAX_FORM_LENGTH) throw new OAuthError('invalid_request', 'the form is too long');
  const form = new URLSearchParams(text);
  if (hasRepeatedParameter(form)) throw new OAuthError('invalid_request', 'a parameter is repeated');
  return form;
}

/** The command line has no secret that it could keep: it only says which program it is. */
export function requireClient(form: URLSearchParams): void {
  if (form.get('client_id') !== CLIENT_ID)
    throw new OAuthError('invalid_client', `use the client_id "${CLIENT_ID}"`);
}

export const CLIENT_ID = 'doorward-cli';
/** Codes, keys and a name. */
const MAX_FORM_LENGTH = 4_096;
