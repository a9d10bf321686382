// How sessions are looked for and chosen to be ended, as the rooms above say it. Always within one account,
// except by a provider that says that somebody logged out there: names of providers are unique in the whole
// service.

import type { MemberLogin } from '../../domain/member-match.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccountId, AttemptId, SessionId, ShareId } from '../../domain/id.ts';
import type { SessionOrder, Sort } from '../../domain/list-orders.ts';
import type { Owner } from '../people/own-things.ts';
import type { Place } from '../sorting.ts';
import type { SessionRow } from './session.ts';

export type SessionQuery = {
  readonly accountId: AccountId;
  /** The whole address, in any case. */
  readonly email: string | null;
  /** Only of addresses that contain this, in any case. */
  readonly text: string | null;
  readonly shareId: ShareId | null;
  readonly providerName: string | null;
  readonly ip: string | null;
  /** Neither ended nor expired; or either; or all of them. */
  readonly state: 'active' | 'ended' | null;
  /** Newest first unless said. */
  readonly sort?: Sort<SessionOrder>;
  /** The `next` of the page before, in the same order. */
  readonly after: Place | null;
  readonly limit: number;
};

export type SessionListPage = {
  readonly sessions: readonly FoundSession[];
  readonly next: Place | null;
};

export type FoundSession = {
  readonly row: SessionRow;
  /** Null when the share is gone. */
  readonly shareName: string | null;
  readonly active: boolean;
};

/** One session, some thousands of them at most, all of a person, all of a share, or all of a provider. */
export type SessionChoice =
  | { readonly by: 'id'; readonly id: SessionId }
  | { readonly by: 'ids'; readonly ids: readonly SessionId[] }
  | { readonly by: 'email'; readonly email: string }
  /** With those of the same logins at their providers, under whatever address. */
  | { readonly by: 'person'; readonly email: string; readonly logins: readonly MemberLogin[] }
  | { readonly by: 'share'; readonly shareId: ShareId }
  | { readonly by: 'provider'; readonly providerName: string };

export type ChosenEnding = {
  readonly accountId: AccountId;
  readonly choice: SessionChoice;
  readonly reason: string;
  readonly at: number;
};

export type OwnEnding = {
  readonly owner: Owner;
  /** One of them; null for all. */
  readonly id: SessionId | null;
  readonly reason: string;
  readonly at: number;
};

/** A logout at the provider: of a person, of one of their sessions there, or both. */
export type ProviderLogout = {
  readonly providerName: string;
  readonly providerGeneration: string;
  readonly subject: string | null;
  readonly sid: string | null;
  /** Used up in the same transaction: the same message ends nothing twice. */
  readonly message: { readonly id: AttemptId; readonly expiresAt: number };
  readonly reason: string;
  readonly at: number;
  /** What the audit says of each session that ends, in the same transaction. */
  readonly eventOf: (row: SessionRow) => AuditEvent;
};
