// What the two planes say to each other. The main thread keeps the store and the login; a worker keeps the
// gate. Everything here is structured-cloneable; the tables in the comments are the whole protocol.

import type { ShareActivity } from '../domain/activity.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { CertificateUse } from '../domain/certificate-use.ts';
import type { HeldCertificate } from '../domain/client-certificate.ts';
import type { TrustNews } from '../domain/certificate-trust.ts';
import type { AccountId, ApiKeyId, MemberId, SessionId, ShareId } from '../domain/id.ts';
import type { Metric } from '../domain/metric.ts';
import type { FaultCode } from '../domain/service-error.ts';
import type { ServiceTokenNews, ServiceTokenUse } from '../domain/service-token.ts';
import type { SessionState } from '../domain/session.ts';
import type { RequestBatch } from '../domain/share-request.ts';
import type { SharesNow } from '../domain/share-book.ts';
import type { Share } from '../domain/share.ts';
import type { Span } from '../domain/span.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import type { StoreGoodMemory } from './store-good.ts';

/** What a worker needs of the configuration. Keys are plain text: messages never leave the process. */
export type GateSettings = {
  readonly bind: { readonly host: string; readonly port: number };
  readonly tls: boolean;
  readonly publicUrl: { readonly scheme: 'http' | 'https'; readonly domain: string; readonly port: number };
  readonly endpointUrl: string;
  readonly cookieName: string;
  /** What the session cookie reaches; other hosts keep one of their own. */
  readonly cookieDomain: string;
  readonly intermediateLifetimeMs: number;
  readonly keys: readonly { readonly signingKey: string; readonly encryptionKey: string }[];
  /** The private JWK (ES256, with `kid`) that signs identity assertions. */
  readonly assertionKey: Readonly<Record<string, unknown>>;
  readonly trustedProxies: readonly string[];
  /** How proxies show that they may ask about requests; null: by their address, in `trustedProxies`. */
  readonly forwardAuth: ForwardAuthSettings | null;
  readonly directTargets: readonly string[];
  /** `host:port` of the service's own listeners, which no share may reach. */
  readonly ownListeners: readonly { readonly host: string; readonly port: number }[];
  readonly identityHeaderPrefix: string;
  /** Hosts (lower case, without port) answered by the service itself, and the Unix socket to pass them to. */
  readonly inside: readonly { readonly host: string; readonly socketPath: string }[];
  /** Null unless client certificates are asked for where the control API is passed inside. */
  readonly controlCertificates: ControlCertificateSettings | null;
  /** Where agents open their tunnels. */
  readonly tunnel: TunnelSettings;
  readonly brand: { readonly name: string; readonly logo: string | null; readonly contact: string | null };
  /** Whether certificates come by themselves; they do not when absent. */
  readonly acme?: boolean;
  readonly outageGraceMs: number;
  readonly accessLog: boolean;
  /** No traces are made when absent. */
  readonly tracing?: TracingSettings;
};

export type TracingSettings = {
  readonly sampleRatio: number;
  /** Whose `traceparent` is continued. */
  readonly trustIncoming: 'proxies' | 'all' | 'none';
};

export type ForwardAuthSettings = { readonly secret: string; readonly clientCertificates: boolean };

export type ControlCertificateSettings = {
  readonly host: string;
  /** As `inside-certificate.ts` has it. */
  readonly secret: string;
};

export type TunnelSettings = {
  /** The host that agents ask for, lower case, without port. */
  readonly host: string;
  /** How many connections an agent is to hold to this gateway. */
  readonly workers: number;
  /** Whether agents are taken at the gateway's own address. */
  readonly atGateway: boolean;
  /** Where client certificates are asked for; nowhere when absent. */
  readonly asksCertificates?: { readonly gateway: boolean; readonly own: boolean };
  /** A listener for agents alone. */
  readonly listener: {
    readonly bind: { readonly host: string; readonly port: number };
    readonly tls: boolean;
  } | null;
};

/** What a new worker starts with. */
export type WorkerStart = {
  readonly settings: GateSettings;
  readonly certificates: readonly TlsMaterial[];
  readonly shares: SharesNow;
  readonly trust: TrustNews;
  readonly tokens: ServiceTokenNews;
  /** Whose requests are told of. */
  readonly watched: readonly ShareId[];
  readonly storeGood: StoreGoodMemory;
  /** Other workers listen on the same port. */
  readonly reusePort: boolean;
};

/** With `ack`, the worker answers once the change counts for the next request, or cannot. */
export type ToWorker = { readonly ack?: number } & Told;

type Told =
  | { readonly type: 'shares'; readonly upsert: readonly Share[]; readonly remove: readonly ShareId[] }
  /**
   * Sessions that ended or were checked: replaces what the worker knows of them, and has open streams decided
   * again.
   */
  | { readonly type: 'sessions'; readonly states: readonly SessionState[] }
  /**
   * Sessions as they were read when the worker started, or changes were missed: see `SessionStates.learn`.
   */
  | { readonly type: 'fill-sessions'; readonly states: readonly SessionState[] }
  /** Authorities of client certificates came or went, or certificates were revoked. */
  | { readonly type: 'trust'; readonly news: TrustNews }
  /** Service tokens came or went. */
  | { readonly type: 'tokens'; readonly news: ServiceTokenNews }
  /**
   * API keys that serve no tunnel any more, and members that are gone: the tunnels that depend on them end.
   */
  | { readonly type: 'keys-gone'; readonly keys: readonly (ApiKeyId | MemberId)[] }
  /** Whose requests are told of from now on; of no other share's. */
  | { readonly type: 'watch'; readonly shares: readonly ShareId[] }
  /**
   * Changes were missed: what is known of sessions counts no more. Those of open streams, and the keys of
   * tunnels, are asked for again.
   */
  | { readonly type: 'forget-sessions' }
  | { readonly type: 'certificates'; readonly certificates: readonly TlsMaterial[] }
  | { readonly type: 'settings'; readonly settings: GateSettings }
  | { readonly type: 'answer'; readonly id: number; readonly answer: WorkerAnswer }
  | { readonly type: 'metrics'; readonly id: number }
  /** Stop accepting, finish what runs, close the rest at the deadline, then say `drained`. */
  | { readonly type: 'drain'; readonly deadlineMs: number };

export type WorkerQuestion = SessionQuestion | ProviderQuestion | TunnelQuestion | CertificateQuestion;

export type CertificateQuestion =
  /** A host of ours that has no certificate: answered once it has, or is not to have one now. */
  | { readonly ask: 'certificate'; readonly host: string }
  /** What answers a TLS-ALPN-01 challenge of that host? */
  | { readonly ask: 'challenge'; readonly host: string };

export type SessionQuestion =
  /** The state of a session that this worker has not seen. */
  | { readonly ask: 'session'; readonly sessionId: SessionId }
  /** Check the session with its provider now (or join the check that runs). */
  | { readonly ask: 'recheck'; readonly sessionId: SessionId }
  | ConfirmQuestion;

/**
 * The browser that a login set out from is back: may the session count? The binding is as `BeginGrant` has
 * it, and was shown.
 */
export type ConfirmQuestion = {
  readonly ask: 'confirm';
  readonly sessionId: SessionId;
  readonly shareId: ShareId;
  readonly bindingHash: string;
  /** When the gate sent the visitor to log in, in milliseconds since the epoch. */
  readonly setOutAt: number;
  /** What else the browser's cookie names for the share. */
  readonly former: readonly SessionId[];
};

/** Which provider, of those that the account's shares may use, has that generation? */
export type ProviderQuestion = {
  readonly ask: 'provider';
  readonly accountId: AccountId;
  readonly generation: string;
};

/**
 * May the API key of that hash, or the client certificate, serve that share (name or id)? `address`: who
 * asks, null when a tunnel is there already.
 */
export type TunnelQuestion = {
  readonly ask: 'tunnel';
  /** Null for an agent without a key. */
  readonly keyHash: string | null;
  /** What its connection brought, where certificates are asked for. */
  readonly certificate: HeldCertificate | null;
  /** Whether they are, where it came in. */
  readonly asksCertificate: boolean;
  readonly share: string;
  readonly address: string | null;
};

/** What a tunnel stands on. */
export type TunnelKey = {
  /** The API key, or whoever allowed the certificate. */
  readonly id: ApiKeyId | MemberId;
  /** Null for what does not expire. */
  readonly expiresAt: number | null;
  /** On its certificate, too. */
  readonly byCertificate?: boolean;
};

export type WorkerAnswer =
  | { readonly kind: 'tunnel'; readonly shareId: ShareId; readonly key: TunnelKey }
  | {
      readonly kind: 'refused';
      readonly code: FaultCode;
      readonly message: string;
      readonly hint: string | null;
    }
  /** Workers have heard of it by now. */
  | { readonly kind: 'certificate' }
  /** Null: no challenge waits there. */
  | { readonly kind: 'challenge'; readonly material: TlsMaterial | null }
  /** Null: none has it (any more). */
  | { readonly kind: 'provider'; readonly name: string | null }
  /** Null: there is no such session (any more). */
  | { readonly kind: 'session'; readonly state: SessionState | null }
  /** The check could not be made: the provider or the store does not answer. The session is as it was. */
  | { readonly kind: 'unavailable' };

export type FromWorker =
  | { readonly type: 'ready'; readonly port: number }
  /** It cannot listen; `code` is the operating system's, such as `EADDRINUSE`. The worker ends. */
  | {
      readonly type: 'listen-failed';
      readonly code: string;
      readonly message: string;
      readonly bind: { readonly host: string; readonly port: number };
      /** Which says so: `gateway.bind_address`. */
      readonly setting: string;
    }
  /** `fault`: why the message could not be gone by; null when it counts now. */
  | { readonly type: 'ack'; readonly id: number; readonly fault: string | null }
  | { readonly type: 'question'; readonly id: number; readonly question: WorkerQuestion }
  | { readonly type: 'seen'; readonly sessions: readonly { readonly id: SessionId; readonly at: number }[] }
  | { readonly type: 'certificates-seen'; readonly uses: readonly CertificateUse[] }
  | { readonly type: 'tokens-seen'; readonly uses: readonly ServiceTokenUse[] }
  /** Requests since the last time. */
  | { readonly type: 'activity'; readonly shares: readonly ShareActivity[] }
  | { readonly type: 'audit'; readonly events: readonly AuditEvent[] }
  /** Requests at watched shares. */
  | { readonly type: 'requests'; readonly batches: readonly RequestBatch[] }
  /** Of traces; `dropped`: how many more there were. */
  | { readonly type: 'spans'; readonly spans: readonly Span[]; readonly dropped: number }
  /** Whole lines of JSON, newline included, to append to the log. */
  | { readonly type: 'log'; readonly lines: string }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: readonly Metric[] }
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'drained' };
