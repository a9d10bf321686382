// What the control API is given. `settings` is asked at each request, since a reload of the configuration
// changes it.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ControlCertificates, ShareBase, StoreConfig } from '../config/config.ts';
import type { WrittenKeys } from '../config/written-keys.ts';
import type { AccountLimits } from '../domain/account-limits.ts';
import type { Actor } from '../domain/actor.ts';
import type { HeldCertificate } from '../domain/client-certificate.ts';
import type { AccountId, ApiKeyId, MemberId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { ProviderLogin, ProviderRef } from '../domain/provider-ref.ts';
import type { KeyScope, Role } from '../domain/role.ts';
import type { Dialler } from '../providers/dialler.ts';
import type { Examination } from '../providers/examine.ts';
import type { OwedEnds } from '../store/sessions/owed-ends.ts';
import type { Owner } from '../store/people/own-things.ts';
import type { Store } from '../store/store.ts';
import type { ConfigChoice } from '../wire/settings.ts';
import type { LiveRequests } from './shares/live-requests/live-requests.ts';
import type { TxtLookup } from './hosts/txt-lookup.ts';
import type { ConsoleSettings } from './console/console-settings.ts';

export type ControlDeps = {
  readonly store: Store;
  readonly settings: () => ControlSettings;
  /**
   * Resolves once every change committed before the call was handed to the data plane: `RouteFeed.caughtUp`.
   */
  readonly caughtUp: () => Promise<void>;
  /** Told that sessions ended whose tokens are owed to their providers. Nobody waits for it. */
  readonly tokensOwed: () => void;
  /** Ends of sessions at the control plane, by the hash of their token, that the store has not taken yet. */
  readonly owedConsoleEnds: OwedEnds<string>;
  /** What an account's webhooks are called with. */
  readonly webhookDialler: (accountId: AccountId) => Dialler;
  /** Looks for the records that prove hosts. */
  readonly txtLookup: TxtLookup;
  readonly liveRequests: LiveRequests;
  readonly status: () => ServiceStatus;
  readonly now: () => number;
  readonly log: Log;
};

/** Of this process. `startedAt` is in milliseconds since the epoch. */
export type ServiceStatus = {
  readonly version: string;
  readonly startedAt: number;
  readonly workers: { readonly running: number; readonly configured: number };
};

export type ControlSettings = {
  /** Where certificates say that revocation lists are: `pki.public_url`, or else where the control API is. */
  readonly pkiUrl: URL;
  readonly shareBase: ShareBase;
  /** Whether TLS ends at the gateway, so that it sees client certificates. */
  readonly gatewayTls: boolean;
  /** Whether proxies may pass client certificates on, for shares behind them. */
  readonly forwardedCertificates: boolean;
  /** `control.client_certificates`. */
  readonly clientCertificates: ControlCertificates;
  /** The providers that an account's shares may use: the configuration's and its own definitions. */
  readonly providersOf: (accountId: AccountId) => readonly ProviderRef[];
  /** What people know a provider by, of any account; its name where there is none. */
  readonly displayNameOf: (name: string) => string;
  /** Whether the configuration has a provider of that name: no definition may take it. */
  readonly isConfiguredProvider: (name: string) => boolean;
  /**
   * Examines a definition of the account, or else a provider of the configuration, of which only what
   * accounts may know is answered; null when there is none of that name.
   */
  readonly examineProvider: (accountId: AccountId, name: string) => Promise<Examination | null>;
  readonly endpointUrl: URL;
  /** `oauth.cookie_domain`: hosts of shares with a login lie within it. */
  readonly cookieDomain: string;
  /** For members that log in. */
  readonly console: ConsoleSettings;
  /** `outbound_allow`. */
  readonly outboundAllow: readonly string[];
  /** Hosts the service itself answers at, lower case, without port: no share may take one. */
  readonly ownHosts: readonly string[];
  /** `gateway.direct_targets`. */
  readonly directTargets: readonly string[];
  /** `oauth.session_lifetime`. */
  readonly sessionLifetimeMs: number;
  /** Whether certificates of public hosts come by themselves: `acme`. */
  readonly automaticCertificates: boolean;
  /** How long what is over is kept. */
  readonly kept: Pick<StoreConfig, 'endedRetentionMs' | 'auditRetentionMs'>;
  /** `limits`: of each account. */
  readonly limits: AccountLimits;
  /** Where all of this was read. */
  readonly configuration: ReadConfiguration;
  /** The service's own listeners: never a target. */
  readonly ownListeners: readonly { readonly host: string; readonly port: number }[];
};

export type ReadConfiguration = {
  /** Its name alone: folders of the machine concern no account. */
  readonly file: string;
  readonly chosenBy: ConfigChoice;
  /** When it was put to use, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly written: WrittenKeys;
  /** Keys that the file has changed since the start, and that change with the next start only. */
  readonly awaitsRestart: readonly string[];
};

/** Who asks, as far as the connection says. */
export type AskedBy = Pick<ControlEnv['Bindings'], 'address' | 'requestId'>;

/** What is known of a request before any operation runs. */
export type ControlEnv = {
  readonly Bindings: {
    readonly address: string;
    readonly requestId: string;
    /** What the connection brought, where client certificates are asked for. */
    readonly certificate: HeldCertificate | null;
    /** All that the request's body has, where it was read already. */
    readonly body?: Uint8Array<ArrayBuffer>;
    /** Aborted when the caller leaves before the answer. */
    readonly left?: AbortSignal;
  };
  readonly Variables: {
    /** Who calls, before it is known what for: for `authorize.ts` alone. */
    readonly authenticated: Authenticated;
    /** Who calls, with the permission that the operation needs. */
    readonly caller: Caller;
    /** Who looks after their own things. */
    readonly me: Me;
  };
};

/** What operations, pages and files are added to. */
export type ControlApi = OpenAPIHono<ControlEnv>;

/**
 * A member is both; a person who is no member has no account to call for; a key, or a certificate, is no
 * person.
 */
export type Authenticated = {
  readonly caller: Caller | null;
  readonly me: Me | null;
  /** Whether the person is whom the configuration names now: `isOperator()`. No key and no certificate is. */
  readonly operates: boolean;
};

/** A person at a provider, and of which account they may see their own things; null for all. */
export type Me = Owner &
  AskedBy & {
    /** When their login here is over. */
    readonly expiresAt: number;
  };

/** With which credential. */
export type CallingActor = Extract<Actor, { readonly kind: 'member' | 'key' | 'certificate' }>;

export type Caller = {
  readonly accountId: AccountId;
  readonly role: Role;
  readonly scope: KeyScope;
  readonly actor: CallingActor;
  /** Null for a member that logged in, and for a certificate. A key's session calls as the key. */
  readonly keyId: ApiKeyId | null;
  /** When the key, or the certificate, is over; null for one that is not, and for a member. */
  readonly keyExpiresAt: number | null;
  /**
   * The login at a provider that the key came from, which what it makes depends on, too; null for any other.
   */
  readonly keyLogin: ProviderLogin | null;
  /** Of a member's session at the control plane; null for any other. */
  readonly sessionHash: string | null;
  /** Null for a key of no member, and for a certificate. */
  readonly memberId: MemberId | null;
  readonly address: string;
  readonly requestId: string;
};
