// What every flow of the OAuth frontend is given: what the service lends it, and the request of a browser or
// a provider.

import type { OAuthConfig, ShareBase } from '../config/config.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { ShareId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { Share } from '../domain/share.ts';
import type { CookiePair } from '../http/cookies.ts';
import type { Brand } from '../http/page-html.ts';
import type { Provider } from '../providers/provider.ts';
import type { AccessRequestTable } from '../store/access/access-request.ts';
import type { OwedEnds } from '../store/sessions/owed-ends.ts';
import type { AttemptTable } from '../store/sessions/attempt.ts';
import type { SessionTable } from '../store/sessions/session-table.ts';
import type { CallbackLimit } from './callback-limit.ts';
import type { AuditFailure } from './failure-events.ts';
import type { ProviderPlaces } from './provider-places.ts';
import type { AskLimit } from './ask-limit.ts';
import type { Seal } from './seal.ts';

export type LoginDeps = {
  readonly oauth: LoginSettings;
  readonly shareBase: ShareBase;
  /** `control.public_url`: where logins to the control plane go back to. */
  readonly controlUrl: URL;
  readonly provider: (name: string) => Provider | undefined;
  readonly findShare: (id: ShareId) => Share | undefined;
  readonly sessions: SessionTable;
  readonly attempts: AttemptTable;
  readonly accessRequests: AccessRequestTable;
  /** Who answers for a share; null for nobody. */
  readonly ownerOf: (share: ShareId) => Promise<string | null>;
  readonly seal: Seal;
  readonly brand: Brand;
  /** Writes an event down, soon. Must not throw. */
  readonly audit: (event: AuditEvent) => void;
  /** An event was written together with what it tells of. Must not throw. */
  readonly audited: (event: AuditEvent) => void;
  /** What logouts owe to a store that is away. */
  readonly owedEnds: OwedEnds;
  /** Told that sessions ended whose tokens are owed to their providers. Nobody waits for it. */
  readonly tokensOwed: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: LoginLog;
  /** The public keys of the signed identity assertion (RFC 7517). */
  readonly jwks: { readonly keys: readonly object[] };
  readonly limiter?: CallbackLimit;
  readonly askLimit?: AskLimit;
  readonly places?: ProviderPlaces;
  /** As `audit`, of logins that failed, within bounds. */
  readonly auditFailure?: AuditFailure;
};

export type LoginSettings = Pick<
  OAuthConfig,
  | 'endpointUrl'
  | 'cookieName'
  | 'cookieDomain'
  | 'sessionLifetimeMs'
  | 'intermediateLifetimeMs'
  | 'logoutRedirectHosts'
>;

export type LoginLog = Pick<Log, 'warn' | 'error'>;

export type LoginHttpRequest = {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As sent, without the `?`. */
  readonly rawQuery: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly CookiePair[];
  /** Null when it was too large or broke off; absent where none is read. */
  readonly body?: string | null;
  readonly ip: string | null;
  readonly requestId: string;
};
