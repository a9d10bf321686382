// What a strict token endpoint asks of a request: the client's credentials, and a code with all that belongs
// to it.

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Grant, StandInClient } from './openid-stand-in.ts';

/** A code is good once, for its redirect URI and its verifier. */
export function takeCode(codes: Map<string, Grant>, fields: URLSearchParams): Grant | undefined {
  const code = fields.get('code') ?? '';
  const grant = codes.get(code);
  codes.delete(code);
  if (grant === undefined || fields.get('grant_type') !== 'authorization_code') return undefined;
  if (fields.get('redirect_uri') !== grant.redirectUri) return undefined;
  const verifier = fields.get('code_verifier');
  if (grant.challenge === null) return verifier === null ? grant : undefined;
  if (verifier === null || verifier.length < 43) return undefined;
  return createHash('sha256').update(verifier).digest('base64url') === grant.challenge ? grant : undefined;
}

export function authenticate(
  clients: readonly StandInClient[],
  request: IncomingMessage,
  fields: URLSearchParams,
): StandInClient | null {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const sent =
    basic === undefined
      ? [fields.get('client_id'), fields.get('client_secret')]
      : Buffer.from(basic, 'base64').toString().split(':');
  const decoded = basic === undefined ? sent : sent.map((each) => formDecode(each ?? ''));
  const found = clients.find((each) => {
    const [id, secret] = each.takesBasicUndecoded === true ? sent : decoded;
    return each.clientId === id && each.clientSecret === secret;
  });
  const way = basic === undefined ? 'client_secret_post' : 'client_secret_basic';
  return found === undefined || (found.authenticatesBy ?? way) !== way ? null : found;
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they are joined. */
function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
