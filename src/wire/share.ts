// The share as the control API shows and takes it (DESIGN 2.5). Durations are texts (`3h`), times RFC 3339.

import type { ShareAccess } from '../domain/share-access.ts';
import type { TunnelKind } from '../domain/tunnel-kind.ts';

export type ShareObject = {
  readonly id: string;
  readonly name: string;
  /** Where visitors open it. */
  readonly url: string;
  /** The backend: scheme, host and port. Null exactly when agents serve it. */
  readonly target: string | null;
  readonly tunnel: TunnelKind | null;
  readonly hosts: readonly string[];
  /** Null when anybody may come in. */
  readonly oauthProvider: string | null;
  /** Email globs, any one of which must match; none means any address. */
  readonly oauthEmailAddressPatterns: readonly string[];
  /** Null exactly when there is no provider. */
  readonly oauthCheckInterval: string | null;
  /** Null when no client certificate is asked for. */
  readonly clientCertificate: ClientCertificateObject | null;
  /** Open to everyone: it asks for neither a login nor a client certificate. */
  readonly open: boolean;
  /** Where there is a login and a client certificate: both are needed, or either is enough. */
  readonly access: ShareAccess;
  readonly allowOrigins: readonly string[];
  readonly enabled: boolean;
  /** When an agent was last seen to serve it, to the minute; null for one that no agent ever served. */
  readonly agentSeenAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Globs over the common name and the organizational unit; null: any, or none. */
export type ClientCertificateObject = {
  readonly required: true;
  readonly subject: string | null;
  readonly unit: string | null;
};

/** What is left out stays as it is. */
export type ClientCertificateChanges = {
  readonly required?: boolean | undefined;
  readonly subject?: string | null | undefined;
  readonly unit?: string | null | undefined;
};

/** Either a target, or `tunnel` for a share that agents serve; only an ephemeral one needs no name. */
export type NewShare = {
  readonly name?: string | undefined;
  readonly tunnel?: TunnelKind | undefined;
} & ShareChanges;

/** What is left out stays as it is. `oauthProvider: null` removes the login with its patterns and its interval. */
export type ShareChanges = {
  readonly target?: string | undefined;
  readonly oauthProvider?: string | null | undefined;
  readonly oauthEmailAddressPatterns?: readonly string[] | undefined;
  /** Null sets the default, 3h. */
  readonly oauthCheckInterval?: string | null | undefined;
  /** Null, or `required: false`, asks for none any more. */
  readonly clientCertificate?: ClientCertificateChanges | null | undefined;
  /** True confirms that the share is open to everyone, where it asks for neither a login nor a client certificate. */
  readonly open?: boolean | undefined;
  readonly access?: ShareAccess | undefined;
  readonly allowOrigins?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
};

export type ShareSearch = {
  /** Part of the name, the target or the provider's name, in any case. */
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  /** `open`: on, and anybody may come in. `down`: `waiting` for an agent, or `failing` to answer. */
  readonly state?: 'on' | 'off' | 'open' | 'waiting' | 'failing' | 'down' | undefined;
};

/** A page of a search may hold few, or none, and still have a `nextCursor`. */
export type SharePage = { readonly items: readonly ShareObject[]; readonly nextCursor: string | null };
