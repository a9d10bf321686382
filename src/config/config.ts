// The configuration as the service uses it: parsed once, frozen, durations in milliseconds, addresses as
// values, keys as `Secret`. `doorward.yaml` (what it may hold: docs/reference/configuration.md) becomes this
// in `parse.ts`.

import type { AccountLimits } from '../domain/account-limits.ts';
import type { OperatorName } from '../domain/operator.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import type { Secret } from '../domain/secret.ts';
import type { WrittenKeys } from './written-keys.ts';

export type Config = {
  /** The file it was read from, absolute. Relative paths in it were resolved against its folder. */
  readonly file: string;
  /** What the file itself says; everything else has its default. */
  readonly written: WrittenKeys;
  /**
   * Certificates for every listener whose `tls` is true, chosen by SNI. Empty, and `acme` null: every
   * listener is plain.
   */
  readonly tls: readonly TlsFiles[];
  /** Null: no certificates come by themselves. */
  readonly acme: AcmeConfig | null;
  readonly gateway: GatewayConfig;
  readonly oauth: OAuthConfig;
  readonly control: ControlConfig;
  /** Null: agents connect to the host `tunnel` below the share domain, at the gateway's address. */
  readonly tunnel: TunnelConfig | null;
  /** Null: proxies that ask about requests are told by their address alone. */
  readonly forwardAuth: ForwardAuthConfig | null;
  readonly store: StoreConfig;
  /** Null: certificates name `control.publicUrl` for their revocation lists. */
  readonly pki: PkiConfig | null;
  readonly metrics: MetricsConfig | null;
  /** Null: no traces. */
  readonly tracing: TracingConfig | null;
  readonly brand: BrandConfig;
  readonly limits: AccountLimits;
  /**
   * Special-purpose addresses that account-given issuers and webhooks may be at; as `gateway.directTargets`.
   */
  readonly outboundAllow: readonly string[];
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly access: boolean };
};

export type TlsFiles = { readonly certificateFile: string; readonly keyFile: string };

/** Who certifies public hosts, and how they are proved. */
export type AcmeConfig = {
  readonly email: string;
  readonly directory: string;
  /** PEM: who vouches for the ACME server; null for the public authorities. */
  readonly trustedAuthorities: string | null;
  /** Null: hosts are proved over TLS. */
  readonly httpBindAddress: BindAddress | null;
  /** Null: the ACME server registers anybody. */
  readonly externalAccount: ExternalAccount | null;
  readonly dns: DnsConfig | null;
};

/** What the account at an ACME server is bound to (RFC 8555 section 7.3.4). */
export type ExternalAccount = {
  readonly kid: string;
  /** Base64url. */
  readonly hmacKey: Secret;
};

export type DnsConfig = { readonly waitMs: number } & (
  | {
      readonly provider: 'rfc2136';
      readonly server: BindAddress;
      readonly zone: string;
      readonly keyName: string;
      readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
      readonly keySecret: Secret;
    }
  | { readonly provider: 'cloudflare'; readonly zone: string; readonly apiToken: Secret }
  | { readonly provider: 'hook'; readonly command: readonly string[] }
);

export type BindAddress = { readonly host: string; readonly port: number };

/**
 * `tls` is false for a listener that says `tls: off`, and everywhere when there are no certificates and
 * `acme` is null.
 */
export type ListenerConfig = { readonly bindAddress: BindAddress; readonly tls: boolean };

export type TracingConfig = {
  /** Where traces are posted, path included. */
  readonly otlpEndpoint: URL;
  readonly headers: readonly (readonly [string, Secret])[];
  readonly sampleRatio: number;
  readonly serviceName: string;
  /** Whose `traceparent` is continued. */
  readonly trustIncoming: 'proxies' | 'all' | 'none';
};

export type MetricsConfig = ListenerConfig & { readonly shares: ShownShares };

/** Which shares have metrics of their own; `count` is of each account. */
export type ShownShares =
  | { readonly kind: 'none' }
  | { readonly kind: 'top'; readonly count: number }
  | { readonly kind: 'listed'; readonly names: readonly string[] };

export type GatewayConfig = ListenerConfig & {
  readonly publicUrl: ShareBase;
  readonly workers: number;
  /** Addresses and ranges whose forwarding headers are believed: `10.0.0.0/8`, `::1`. */
  readonly trustedProxies: readonly string[];
  /**
   * Addresses and ranges, with an optional port, that direct targets may reach although they are
   * special-purpose: `127.0.0.1:3000`, `10.0.0.0/8`, `localhost:5173`.
   */
  readonly directTargets: readonly string[];
  /** Lower case, ends with `-`; `svc-auth-` unless said. */
  readonly identityHeaderPrefix: string;
};

/** `https://*.share.example.com:8443` taken apart. A share `demo` answers at `demo.<domain>`. */
export type ShareBase = {
  readonly scheme: 'http' | 'https';
  /** `share.example.com`, lower case. */
  readonly domain: string;
  /** As visitors see it; the scheme's default when none is written. */
  readonly port: number;
};

/** Contract 2.1. */
export type OAuthConfig = ListenerConfig & {
  readonly endpointUrl: URL;
  readonly cookieName: string;
  readonly cookieDomain: string;
  readonly sessionLifetimeMs: number;
  readonly intermediateLifetimeMs: number;
  readonly keys: KeyPair;
  /** Keys that still open what they sealed, newest first. */
  readonly previousKeys: readonly KeyPair[];
  readonly providers: readonly ProviderSettings[];
  /**
   * Globs by label (`*.example.com`, `app.example.com`); null when any absolute http(s) address may be
   * returned to.
   */
  readonly logoutRedirectHosts: readonly string[] | null;
};

/** How proxies that ask the gateway about requests show that they may. */
export type ForwardAuthConfig = {
  readonly secret: Secret;
  /** Whether they pass the client certificate of a connection on, and take away what a client sent as one. */
  readonly clientCertificates: boolean;
};

export type KeyPair = { readonly signingKey: Secret; readonly encryptionKey: Secret };

/** Whether the control API asks for client certificates (DESIGN "Mutual TLS"). */
export type ControlCertificates = 'none' | 'optional' | 'required';

export type ControlConfig = ListenerConfig & {
  readonly publicUrl: URL;
  readonly clientCertificates: ControlCertificates;
  /** Who sees all accounts and gateways; nobody unless said. */
  readonly operators: readonly OperatorName[];
};

/** Where agents open their tunnels: at the gateway's own address, when `bindAddress` is that. */
export type TunnelConfig = ListenerConfig & { readonly publicUrl: URL };

/**
 * Where revocation lists are served over plain HTTP, and how certificates name that place. Its `tls` is
 * false.
 */
export type PkiConfig = ListenerConfig & { readonly publicUrl: URL };

export type StoreConfig = {
  /** `file` is absolute; `url` is as `parsePostgresAddress` takes it, its `sslrootcert` absolute. */
  readonly engine:
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'postgres'; readonly url: Secret };
  readonly masterKeyFile: string;
  /** How long known sessions are served when the store is away. */
  readonly outageGraceMs: number;
  /** How long sessions and other things of a moment are kept once they are over. */
  readonly endedRetentionMs: number;
  /** How long audit events are kept. */
  readonly auditRetentionMs: number;
};

export type BrandConfig = {
  readonly name: string;
  /** A `data:` URL made from `logo_file`, or null. */
  readonly logo: string | null;
  /** An email address or URL that pages point to for help, or null. */
  readonly contact: string | null;
};
