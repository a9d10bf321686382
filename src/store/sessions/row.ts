// A session's columns as the rooms above see them, and its tokens sealed and opened.

import type { AccountId, SessionId, ShareId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import type { SessionState } from '../../domain/session.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import type { SessionRow, StoredTokens } from './session.ts';
import type { ColumnSeal, Sealer } from '../sealing/column-seal.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import { isSet } from '../columns.ts';
import type { SessionsTable } from './tables.ts';

export function toSession(row: Omit<SessionsTable, 'confirm_by'>): SessionRow {
  return {
    id: row.id as SessionId,
    shareId: row.share_id as ShareId,
    accountId: row.account_id as AccountId,
    providerName: row.provider_name,
    providerGeneration: row.provider_generation,
    subject: row.subject,
    email: row.email,
    browserHash: row.browser_hash,
    bindingHash: row.binding_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    checkedAt: row.checked_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    lastSeenAt: row.last_seen_at,
    ip: row.ip,
    providerSid: row.provider_sid,
    userAgent: row.user_agent,
  };
}

export function toState(row: Pick<SessionsTable, (typeof STATE_COLUMNS)[number]>): SessionState {
  return {
    id: row.id as SessionId,
    subject: row.subject,
    checkedAt: row.checked_at,
    refreshable: isSet(row.refreshable),
    confirmed: row.confirm_by === null,
    ended: row.ended_at !== null,
    emailVerified: row.email_verified === 1,
    // What is there was written by `factsText`.
    ...(row.facts === null ? {} : { facts: JSON.parse(row.facts) as SessionFacts }),
  };
}

export const STATE_COLUMNS = [
  'id',
  'subject',
  'checked_at',
  'refreshable',
  'confirm_by',
  'ended_at',
  'email_verified',
  'facts',
] as const;

export function factsText(facts: SessionFacts): string {
  return JSON.stringify(facts);
}

/** The sealed column of a session's tokens. */
export function sealTokens(sealer: Sealer, session: Owner, tokens: StoredTokens): string {
  const text = JSON.stringify({
    accessToken: tokens.accessToken.reveal(),
    refreshToken: tokens.refreshToken?.reveal() ?? null,
    idToken: tokens.idToken?.reveal() ?? null,
    idTokenIsNew: tokens.idTokenIsNew === true,
    subject: tokens.subject,
    refreshedAt: tokens.refreshedAt ?? null,
  } satisfies PlainTokens);
  return sealer.seal(placeOf(session), new Secret(text));
}

/** Throws `internal` when the column is empty or was not sealed for this very session. */
export function openTokens(seal: ColumnSeal, session: Owner, sealed: string | null): StoredTokens {
  // What opens was written by `sealTokens`.
  const plain = JSON.parse(seal.open(placeOf(session), sealed ?? '').reveal()) as PlainTokens;
  return {
    accessToken: new Secret(plain.accessToken),
    refreshToken: plain.refreshToken === null ? null : new Secret(plain.refreshToken),
    idToken: plain.idToken === null ? null : new Secret(plain.idToken),
    idTokenIsNew: plain.idTokenIsNew === true,
    subject: plain.subject,
    refreshedAt: plain.refreshedAt ?? null,
  };
}

/** Null for a session that holds none, or whose tokens do not open. */
export function tokensIfOpen(seal: ColumnSeal, columns: SessionsTable): StoredTokens | null {
  try {
    return openTokens(seal, toSession(columns), columns.tokens);
  } catch {
    return null;
  }
}

type Owner = { readonly id: SessionId; readonly accountId: AccountId };

type PlainTokens = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly idToken: string | null;
  readonly subject: string | null;
  // Absent from what a former version sealed.
  readonly refreshedAt?: number | null;
  readonly idTokenIsNew?: boolean;
};

function placeOf({ id, accountId }: Owner): SealedPlace {
  return { table: 'sessions', column: 'tokens', rowId: id, accountId };
}
