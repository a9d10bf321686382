// `POST /<provider>/backchannel-logout` (OpenID Connect Back-Channel Logout 1.0): the provider says that
// somebody logged out there, and their sessions here end. No browser takes part: no cookie is read or
// written.
//
//   logout_token ──read──▶ a place? ──yes──▶ judged ──▶ used before? ──no──▶ sessions of its subject or sid
//    └ bad: 400, counted    └ no: 429         └ bad: 400, counted └ yes: 400          ended ──▶ 200

import { decodeJwt } from 'jose';
import type { AuditEvent } from '../domain/audit-event.ts';
import { idFromBytes, type SessionId } from '../domain/id.ts';
import { shortHash } from '../domain/secret.ts';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import { isFormType } from '../http/form-type.ts';
import type { LogoutToken, Provider } from '../providers/provider.ts';
import { recordEvent, sessionEventOf, tellAudited } from './audit.ts';
import { messagesOf } from './fault-log.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import type { Leave } from './provider-places.ts';

/**
 * Throws `not_found` for a provider whose type has no logout tokens. Everything else is an answer of section
 * 2.8.
 */
export async function backchannelLogout(
  deps: LoginDeps,
  provider: Provider,
  request: LoginHttpRequest,
): Promise<Answer> {
  const { verifyLogoutToken } = provider;
  if (verifyLogoutToken === undefined)
    throw new ServiceError('not_found', `Cannot log out: ${provider.name} sends no logout tokens`);
  // Providers are no browsers: a page that posts here counts for nothing, so it keeps nobody from logging
  // out.
  if (request.headers['sec-fetch-site'] !== undefined)
    return refusal('invalid_request', 'Cannot log out: browsers send no logout tokens');
  const blockedSeconds = deps.limiter?.blockedSeconds(request.ip, provider.name) ?? null;
  if (blockedSeconds !== null) return slowDown(blockedSeconds);
  let leave: Leave | null | undefined;
  try {
    const sent = tokenOf(request);
    requireShape(sent);
    leave = await deps.places?.forLogoutToken(provider, request.ip).catch(() => null);
    if (leave === null) return slowDown(CROWDED_SECONDS);
    const token = await verifyLogoutToken(sent);
    await endSessions(deps, provider, { request, token });
    return { status: 200, headers: [NOT_KEPT], body: null };
  } catch (thrown) {
    const error = asServiceError(thrown);
    const invalid = error.code === 'provider_error' || error.code === 'bad_request';
    if (invalid) deps.limiter?.failed(request.ip, provider.name);
    tellRefusal(deps, provider, { request, error });
    return refusal(invalid ? 'invalid_request' : 'server_error', invalid ? error.message : null);
  } finally {
    leave?.();
  }
}

/** People stay logged in who should not: the log says why and what to do, the audit that it happened. */
function tellRefusal(
  deps: LoginDeps,
  provider: Provider,
  { request, error }: { readonly request: LoginHttpRequest; readonly error: ServiceError },
): void {
  if (deps.limiter?.tellsRefusal(provider.name) === false) return;
  const { requestId } = request;
  const about = { provider: provider.name, requestId, cause: messagesOf(error), hint: error.hint };
  deps.log.warn(about, 'back-channel logout refused');
  recordEvent(deps, request, {
    kind: 'backchannel_logout.refused',
    accountId: provider.accountId,
    provider: provider.name,
    reason: error.code,
  });
}

/** Throws `bad_request` unless the body is a form with one `logout_token` (section 2.5). */
function tokenOf({ headers, body }: LoginHttpRequest): string {
  if (!isFormType(headers['content-type']))
    throw new ServiceError('bad_request', 'Cannot log out: the body is no form');
  if (body === undefined || body === null)
    throw new ServiceError('bad_request', 'Cannot log out: the body is too large, or not whole');
  const [token, ...others] = new URLSearchParams(body).getAll('logout_token');
  if (token === undefined || others.length > 0)
    throw new ServiceError('bad_request', 'Cannot log out: the form has not one logout_token');
  return token;
}

/**
 * Throws `provider_error` for what cannot be a logout token whoever sends it (section 2.4), so that it takes
 * no place from one that may be. Believes nothing of it.
 */
function requireShape(token: string): void {
  if (!hasIssuerAndAudience(token))
    throw new ServiceError(
      'provider_error',
      'Cannot believe the logout token: it is no JWT with an issuer and an audience',
    );
}

function hasIssuerAndAudience(token: string): boolean {
  try {
    const { iss, aud } = decodeJwt(token);
    return typeof iss === 'string' && (typeof aud === 'string' || Array.isArray(aud));
  } catch {
    return false;
  }
}

/** Using the token up and ending the sessions is one transaction, so a fault leaves the token usable. */
async function endSessions(
  deps: LoginDeps,
  provider: Provider,
  { request, token }: { readonly request: LoginHttpRequest; readonly token: LogoutToken },
): Promise<void> {
  const events = new Map<SessionId, AuditEvent>();
  const ended = await deps.sessions.endAtProvider({
    providerName: provider.name,
    providerGeneration: provider.generation,
    subject: token.subject,
    sid: token.sid,
    message: { id: messageId(provider, token), expiresAt: token.expiresAt },
    reason: REASON,
    at: deps.now(),
    eventOf: (row) => {
      const event = sessionEventOf(deps, request, { kind: 'session.ended', reason: REASON, row });
      events.set(row.id, event);
      return event;
    },
  });
  if (ended === null)
    throw new ServiceError('bad_request', 'Cannot log out: the logout token was used before');
  tellAudited(
    deps,
    ended.map(({ id }) => id),
    events,
  );
}

function messageId({ name, generation }: Provider, { id }: LogoutToken) {
  const text = JSON.stringify(['backchannel-logout', name, generation, id]);
  return idFromBytes('att', Buffer.from(shortHash(text), 'base64url'));
}

function refusal(error: string, description: string | null): Answer {
  const document = { error, ...(description === null ? {} : { error_description: description }) };
  return { status: 400, headers: [JSON_TYPE, NOT_KEPT], body: JSON.stringify(document) };
}

function slowDown(seconds: number): Answer {
  return {
    status: 429,
    headers: [JSON_TYPE, NOT_KEPT, ['retry-after', String(seconds)]],
    body: JSON.stringify({ error: 'temporarily_unavailable' }),
  };
}

const REASON = 'backchannel_logout';
/** Those that wait are through by then. */
const CROWDED_SECONDS = 10;
const JSON_TYPE = ['content-type', 'application/json'] as const;
/** Section 2.8. */
const NOT_KEPT = ['cache-control', 'no-store'] as const;
