// What every key of `doorward.yaml` is (DESIGN 2.1; contract 2.1, 2.2, 8): the one list from which the
// readers know their keys and docs/reference/configuration.md is written. What a value must look like is the
// readers' to judge.

import { DEFAULT_LIMITS } from '../domain/account-limits.ts';

export type Field = {
  /** In words of the file: `duration`, `list of scopes`. */
  readonly type: string;
  readonly absent: Absent;
  /** One or two sentences of Markdown. */
  readonly meaning: string;
  /** May be given as `<key>_file` instead. */
  readonly secret?: true;
};

type Absent =
  | 'required'
  /** Writing this value is the same as leaving the key out. */
  | { readonly default: string | number | boolean | readonly string[] }
  /** What holds without it, when no value says the same. */
  | { readonly means: string };

export type Fields = Readonly<Record<string, Field>>;

/** The keys that a section may have, those of files with secrets included. */
export function keysOf(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([key, { secret }]) => (secret ? [key, `${key}_file`] : [key]));
}

const LISTENER_FIELDS = {
  bind_address: {
    type: 'ip:port',
    absent: 'required',
    meaning: 'The address to listen on: an IP address and a port, `0.0.0.0:443` or `"[::]:443"`.',
  },
  tls: {
    type: '`off`',
    absent: { means: 'TLS, if the file has `tls` or `acme`' },
    meaning: 'Disables TLS for this listener.',
  },
} as const satisfies Fields;

export const TOP_FIELDS = {
  tls: {
    type: 'list',
    absent: { means: 'no TLS' },
    meaning:
      'Certificates of the public hosts, selected by the requested name (SNI). Doorward reloads the files when they change.',
  },
  acme: {
    type: 'section',
    absent: { means: 'certificates are those of `tls`' },
    meaning:
      "Gets and renews certificates for the public hosts that `tls` does not cover, from Let's Encrypt or another ACME server.",
  },
  gateway: { type: 'section', absent: 'required', meaning: 'The public listener for shares.' },
  oauth: {
    type: 'section',
    absent: 'required',
    meaning: 'The OAuth frontend: login, logout, sessions and providers.',
  },
  control: { type: 'section', absent: 'required', meaning: 'The control API and the console.' },
  tunnel: {
    type: 'section',
    absent: { means: "agents connect to the host `tunnel` below the share domain, at the gateway's address" },
    meaning: 'Where agents open their tunnels.',
  },
  pki: {
    type: 'section',
    absent: { means: 'certificates name `control.public_url` for their revocation lists' },
    meaning: 'A listener that serves only CRLs, over plain HTTP.',
  },
  forward_auth: {
    type: 'section',
    absent: { means: 'no proxy may ask about requests' },
    meaning: 'How proxies in front of apps of their own show that they may ask the gateway about requests.',
  },
  store: { type: 'section', absent: 'required', meaning: 'The database.' },
  metrics: {
    type: 'section',
    absent: { means: 'no such listener' },
    meaning:
      '`/metrics` (Prometheus), `/healthz` and `/readyz`. Only for internal networks: it requires no credentials.',
  },
  tracing: {
    type: 'mapping',
    absent: { means: 'no traces' },
    meaning: 'Sends OpenTelemetry traces of requests to a collector.',
  },
  brand: {
    type: 'section',
    absent: { means: "Doorward's own" },
    meaning: 'The branding of the pages for visitors.',
  },
  log: {
    type: 'section',
    absent: { means: 'its defaults' },
    meaning: 'The log on standard error, one JSON object per line.',
  },
  limits: {
    type: 'section',
    absent: { means: 'its defaults' },
    meaning: 'Limits for each account, and for its calls of the control API.',
  },
  outbound_allow: {
    type: 'list of addresses, ranges and host names, each with an optional port',
    absent: { default: [] },
    meaning:
      'Private addresses that providers and webhooks of accounts can use. The providers of this file need no entry.',
  },
  allow_plain_http: {
    type: 'boolean',
    absent: { default: false },
    meaning:
      'Allows `http:` for public URLs on hosts other than localhost. Cookies are then sent unencrypted. Providers still require `https:`.',
  },
} as const satisfies Fields;

export const TLS_FIELDS = {
  certificate_file: { type: 'path', absent: 'required', meaning: 'The certificate and its chain, PEM.' },
  key_file: { type: 'path', absent: 'required', meaning: 'Its private key, PEM.' },
} as const satisfies Fields;

export const GATEWAY_FIELDS = {
  ...LISTENER_FIELDS,
  public_url: {
    type: 'starred URL',
    absent: 'required',
    meaning:
      'Scheme, share domain and port as visitors see them: with `https://*.share.example.com`, a share `demo` answers at `https://demo.share.example.com`. The scheme decides whether cookies are `Secure`, even behind a proxy that terminates TLS.',
  },
  workers: {
    type: 'whole number, 1 to 64',
    absent: { default: 1 },
    meaning: 'The number of threads that serve requests.',
  },
  trusted_proxies: {
    type: 'list of addresses and ranges',
    absent: { default: [] },
    meaning: 'Proxies whose forwarding headers are trusted, such as `10.0.0.0/8`.',
  },
  direct_targets: {
    type: 'list of addresses, ranges and host names, each with an optional port',
    absent: { default: [] },
    meaning:
      "Private addresses that shares can use as backends: `127.0.0.1:3000`, `localhost:5173`, `10.0.0.0/8`. Public addresses need no entry. Cloud metadata and the service's own listeners are never allowed.",
  },
  identity_header_prefix: {
    type: 'text ending in `-`',
    absent: { default: 'svc-auth-' },
    meaning: 'The prefix of the identity headers. Headers with this prefix are removed from requests.',
  },
} as const satisfies Fields;

const KEY_FIELDS = {
  signing_key: {
    type: 'text, at least 32 characters',
    absent: 'required',
    secret: true,
    meaning:
      'Secures authentication payloads: cookies and login attempts. Must differ from every other key of the file.',
  },
  encryption_key: {
    type: 'text, at least 24 characters',
    absent: 'required',
    secret: true,
    meaning: 'Encrypts session data. Must differ from every other key of the file.',
  },
} as const satisfies Fields;

export const OAUTH_FIELDS = {
  ...LISTENER_FIELDS,
  endpoint_url: {
    type: 'URL without path',
    absent: 'required',
    meaning:
      'Public URL of the OAuth frontend. Register `<endpoint_url>/<name>/auth/callback` with each provider.',
  },
  cookie_name: {
    type: 'text',
    absent: 'required',
    meaning: 'Name of the session cookie; `svc-auth-session` is suggested.',
  },
  cookie_domain: {
    type: 'domain',
    absent: 'required',
    meaning:
      'Domain of the session cookie. Must cover the hosts of `endpoint_url` and `gateway.public_url`, and must not be a public suffix.',
  },
  session_lifetime: {
    type: 'duration',
    absent: 'required',
    meaning: 'The maximum duration of a session, counted from the login and never extended.',
  },
  intermediate_lifetime: {
    type: 'duration',
    absent: 'required',
    meaning: 'The maximum time from the start of a login to its callback.',
  },
  ...KEY_FIELDS,
  providers: { type: 'list', absent: 'required', meaning: 'One or more identity providers.' },
  logout_redirect_hosts: {
    type: 'list of host names, with `*` for labels',
    absent: { means: 'any http(s) URL' },
    meaning: 'Hosts that the `redirect_url` of a logout can use: `*.example.com`. Other hosts get a 400.',
  },
  previous_keys: {
    type: 'list of key pairs',
    absent: { default: [] },
    meaning:
      'Previous key pairs that still decrypt, newest first. Use them to change keys without logging anyone out.',
  },
} as const satisfies Fields;

export const KEY_PAIR_FIELDS: Fields = KEY_FIELDS;

export const CONTROL_FIELDS = {
  ...LISTENER_FIELDS,
  public_url: {
    type: 'URL without path',
    absent: 'required',
    meaning: 'URL of the control API, as the command line reaches it.',
  },
  client_certificates: {
    type: '`none`, `optional` or `required`',
    absent: { means: '`none`' },
    meaning:
      'Whether calls can, or must, use a client certificate of an account. A certificate with an API role needs no API key. Requires that the service itself terminates TLS.',
  },
  operators: {
    type: 'list',
    absent: { default: [] },
    meaning:
      'Who sees all accounts, their limits and the health of gateways in the console ([how](../how-to/operators.md)). They see nothing that an account holds, and change nothing.',
  },
} as const satisfies Fields;

export const OPERATOR_FIELDS = {
  provider: {
    type: 'text',
    absent: 'required',
    meaning: 'The name of a provider under `oauth.providers` that verifies email addresses.',
  },
  email: {
    type: 'email address',
    absent: 'required',
    meaning: 'The address that this provider names. The same address at another provider does not count.',
  },
} as const satisfies Fields;

export const TUNNEL_FIELDS = {
  ...LISTENER_FIELDS,
  public_url: {
    type: 'URL without path',
    absent: 'required',
    meaning:
      'URL where agents reach this gateway. Gateways behind one load balancer can share a URL if it distributes connections. Otherwise, set a different URL for each gateway.',
  },
} as const satisfies Fields;

export const FORWARD_AUTH_FIELDS = {
  secret: {
    type: 'text, at least 32 characters',
    absent: 'required',
    secret: true,
    meaning:
      'What a proxy sends as `svc-auth-secret` with each question. Questions without it are refused, whatever address they come from. Must differ from every other key of the file.',
  },
  client_certificates: {
    type: 'boolean',
    absent: { default: false },
    meaning:
      'Whether these proxies pass on the client certificate of a connection, and remove what a client sends under that name. Doorward verifies the certificate again, but only the proxy can know that the client holds its key.',
  },
} as const satisfies Fields;

export const PKI_FIELDS = {
  bind_address: LISTENER_FIELDS.bind_address,
  public_url: {
    type: '`http:` URL without path',
    absent: 'required',
    meaning:
      'URL of this listener, or of the proxy in front of it, which new certificates contain as the location of their CRL. Always `http:`: CRLs are signed, and a client that checks a certificate may not have TLS yet (RFC 5280 section 8).',
  },
} as const satisfies Fields;

export const STORE_FIELDS = {
  url: {
    type: 'address',
    absent: 'required',
    secret: true,
    meaning:
      '`sqlite:data/doorward.db` or `sqlite:///var/lib/doorward.db` for one machine; `postgres://USER:PASSWORD@HOST:PORT/DATABASE` for one or several.',
  },
  master_key_file: {
    type: 'path',
    absent: 'required',
    meaning: 'The key that encrypts the secrets in the database, mode 0600. Keep a copy apart from backups.',
  },
  outage_grace: {
    type: 'duration',
    absent: { default: '30s' },
    meaning:
      'How long known sessions and shares keep working while the database is unavailable. New logins and rechecks fail at once.',
  },
  ended_retention: {
    type: 'duration',
    absent: { default: '7d' },
    meaning:
      'How long ended and expired sessions, spent login attempts, used certificate request tokens, old invitations and undelivered webhook events are kept.',
  },
  audit_retention: {
    type: 'duration',
    absent: { default: '400d' },
    meaning: 'How long audit events are kept. Older ones are deleted; nothing else deletes or changes one.',
  },
} as const satisfies Fields;

export const METRICS_FIELDS = {
  ...LISTENER_FIELDS,
  tls: {
    type: '`off`',
    absent: { means: 'TLS, if the file has `tls` or `acme` and `bind_address` is not on loopback' },
    meaning: 'Disables TLS for this listener. On loopback, TLS is always disabled.',
  },
  shares: {
    type: '`none`, `top N` with N from 1 to 50, or a list of share names',
    absent: { default: 'none' },
    meaning:
      'Shares with metrics of their own: the N most used of each account, or those listed. A share is 25 series; at most 500 shares have them. All others count together as `other`.',
  },
} as const satisfies Fields;

export const TRACING_FIELDS = {
  otlp_endpoint: {
    type: '`http` or `https` URL',
    absent: 'required',
    meaning: 'A collector that takes OTLP over HTTP. `/v1/traces` is appended.',
  },
  headers: {
    type: 'list of headers',
    absent: { default: [] },
    meaning: 'Sent to the collector, such as `authorization: Bearer …`. The log never shows them.',
  },
  sample_ratio: {
    type: 'a number from 0 to 1',
    absent: { default: 1 },
    meaning: 'The part of the requests that is traced, unless a trusted `traceparent` decides.',
  },
  service_name: {
    type: 'text, at most 64 characters',
    absent: { default: 'doorward' },
    meaning: 'The service in traces.',
  },
  trust_incoming: {
    type: '`proxies`, `all` or `none`',
    absent: { default: 'proxies' },
    meaning:
      'Whose `traceparent` is continued: that of `gateway.trusted_proxies`, everybody’s, or nobody’s. Others get a new trace.',
  },
} as const satisfies Fields;

export const BRAND_FIELDS = {
  name: {
    type: 'text, at most 60 characters',
    absent: { default: 'Doorward' },
    meaning: 'The name at the top of the pages.',
  },
  logo_file: {
    type: 'path',
    absent: { means: 'no logo' },
    meaning: 'The logo: SVG, PNG, JPEG or WebP of at most 64 KiB.',
  },
  contact: {
    type: 'email address or https URL',
    absent: { means: 'no contact' },
    meaning: 'Whom visitors can ask: shown on every page that refuses a request or says that an app is down.',
  },
} as const satisfies Fields;

/** Of each account. What is there already stays when a limit is lowered. */
export const LIMIT_FIELDS = {
  calls_at_once: limitOf(
    { absent: DEFAULT_LIMITS.callsAtOnce, most: 1000 },
    'Concurrent calls of the control API. Other calls wait. Of this limit and the next two, a quarter is reserved for admins.',
  ),
  calls_waiting: limitOf(
    { absent: DEFAULT_LIMITS.callsWaiting, most: 100_000 },
    'Waiting calls. Further calls get `429` with `Retry-After`.',
  ),
  writes_per_minute: limitOf(
    { absent: DEFAULT_LIMITS.writesPerMinute, most: 1_000_000 },
    'Calls per minute that change something. Further calls get `429` with `Retry-After`.',
  ),
  shares: limitOf({ absent: DEFAULT_LIMITS.shares, most: 1_000_000 }, 'Shares.'),
  hosts: limitOf(
    { absent: DEFAULT_LIMITS.hosts, most: 1_000_000 },
    'Custom hosts of all shares together. A share has at most 20.',
  ),
  providers: limitOf({ absent: DEFAULT_LIMITS.providers, most: 1_000_000 }, 'Provider definitions.'),
  members: limitOf({ absent: DEFAULT_LIMITS.members, most: 1_000_000 }, 'Members.'),
  api_keys: limitOf({ absent: DEFAULT_LIMITS.apiKeys, most: 1_000_000 }, 'API keys.'),
  service_tokens: limitOf({ absent: DEFAULT_LIMITS.serviceTokens, most: 1_000_000 }, 'Service tokens.'),
  webhooks: limitOf({ absent: DEFAULT_LIMITS.webhooks, most: 1000 }, 'Webhooks.'),
  certificate_request_tokens: limitOf(
    { absent: DEFAULT_LIMITS.certificateRequestTokens, most: 1_000_000 },
    'Certificate request tokens that are neither used nor expired.',
  ),
  certificates: limitOf(
    { absent: DEFAULT_LIMITS.certificates, most: 10_000_000 },
    'Client certificates that are neither expired nor revoked. At this limit, no certificate is issued and no certificate request token is created; renewals still work, up to twice the limit including the renewed certificates. With twice as many revoked certificates that have not expired, renewals also fail.',
  ),
  revoked_serials: limitOf(
    { absent: DEFAULT_LIMITS.revokedSerials, most: 1_000_000 },
    'Revoked serial numbers of certificates that a restored backup does not contain. A serial number counts once for each certificate authority of the account.',
  ),
} as const satisfies Fields;

function limitOf({ absent, most }: { readonly absent: number; readonly most: number }, meaning: string) {
  return { type: `whole number, 1 to ${most}`, absent: { default: absent }, most, meaning } as const;
}

export const LOG_FIELDS = {
  level: {
    type: '`debug`, `info`, `warn` or `error`',
    absent: { default: 'info' },
    meaning: 'The lowest level to log.',
  },
  access: { type: 'boolean', absent: { default: true }, meaning: 'Whether to log each request.' },
} as const satisfies Fields;
