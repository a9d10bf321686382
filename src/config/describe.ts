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
    meaning: 'Where it listens: an IP address and a port, `0.0.0.0:443` or `"[::]:443"`.',
  },
  tls: {
    type: '`off`',
    absent: { means: 'TLS, when the file has `tls` or `acme`' },
    meaning: 'Makes this listener plain although there are certificates.',
  },
} as const satisfies Fields;

export const TOP_FIELDS = {
  tls: {
    type: 'list',
    absent: { means: 'every listener is plain' },
    meaning:
      'Certificates of the public hosts, chosen by the name that is asked for (SNI). Files are read again when they change.',
  },
  acme: {
    type: 'section',
    absent: { means: 'certificates are those of `tls`' },
    meaning:
      "Gets and renews certificates for the public hosts that `tls` does not cover, from Let's Encrypt or another ACME server.",
  },
  gateway: { type: 'section', absent: 'required', meaning: 'The public listener for shares.' },
  oauth: { type: 'section', absent: 'required', meaning: 'Logging in and out, sessions, providers.' },
  control: { type: 'section', absent: 'required', meaning: 'The control API, for the command line.' },
  tunnel: {
    type: 'section',
    absent: { means: "agents connect to the host `tunnel` below the share domain, at the gateway's address" },
    meaning: 'Where agents open their tunnels.',
  },
  pki: {
    type: 'section',
    absent: { means: 'certificates name `control.public_url` for their revocation lists' },
    meaning: 'Where revocation lists (CRLs) are served over plain HTTP, and nothing else is.',
  },
  store: { type: 'section', absent: 'required', meaning: 'The database.' },
  metrics: {
    type: 'section',
    absent: { means: 'no such listener' },
    meaning:
      '`/metrics` (Prometheus), `/healthz` and `/readyz`. For an inner network: it asks for no credentials.',
  },
  brand: {
    type: 'section',
    absent: { means: "Doorward's own" },
    meaning: 'What the pages for visitors show.',
  },
  log: {
    type: 'section',
    absent: { means: 'its defaults' },
    meaning: 'The log on the error stream, a JSON object a line.',
  },
  limits: {
    type: 'section',
    absent: { means: 'its defaults' },
    meaning: 'How much one account may have, and ask of the control API.',
  },
  outbound_allow: {
    type: 'list of addresses, ranges and host names, each with an optional port',
    absent: { default: [] },
    meaning:
      'Private addresses that providers and webhooks of accounts may be at. The providers of this file need no entry.',
  },
  allow_plain_http: {
    type: 'boolean',
    absent: { default: false },
    meaning:
      'Lets public addresses be `http:` on names other than localhost. Cookies then travel in the clear. Providers stay `https:`.',
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
      'Scheme, share domain and port as visitors see them: a share `demo` of `https://*.share.example.com` answers at `https://demo.share.example.com`. The scheme decides `Secure` cookies, whoever ends TLS.',
  },
  workers: {
    type: 'whole number, 1 to 64',
    absent: { default: 1 },
    meaning: 'Threads that serve requests, sharing the port.',
  },
  trusted_proxies: {
    type: 'list of addresses and ranges',
    absent: { default: [] },
    meaning: "Proxies in front whose forwarding headers are believed, `10.0.0.0/8`. Nobody else's are.",
  },
  direct_targets: {
    type: 'list of addresses, ranges and host names, each with an optional port',
    absent: { default: [] },
    meaning:
      "Private addresses that shares may have as backends: `127.0.0.1:3000`, `localhost:5173`, `10.0.0.0/8`. Public addresses need no entry; cloud metadata and the service's own listeners are never reached.",
  },
  identity_header_prefix: {
    type: 'text ending in `-`',
    absent: { default: 'svc-auth-' },
    meaning: 'How the names of identity headers begin. Everything that begins so is removed from requests.',
  },
} as const satisfies Fields;

const KEY_FIELDS = {
  signing_key: {
    type: 'text, at least 32 characters',
    absent: 'required',
    secret: true,
    meaning: 'Secures what is sealed: cookies and login attempts. Unlike every other key of the file.',
  },
  encryption_key: {
    type: 'text, at least 24 characters',
    absent: 'required',
    secret: true,
    meaning: 'Encrypts it. Unlike every other key of the file.',
  },
} as const satisfies Fields;

export const OAUTH_FIELDS = {
  ...LISTENER_FIELDS,
  endpoint_url: {
    type: 'URL without path',
    absent: 'required',
    meaning:
      'Public address of the OAuth frontend. Register `<endpoint_url>/<name>/auth/callback` with each provider.',
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
      'Domain of the session cookie. Must cover the hosts of `endpoint_url` and `gateway.public_url`, and be no public suffix.',
  },
  session_lifetime: {
    type: 'duration',
    absent: 'required',
    meaning: 'The longest a session lasts, counted from the login and never extended.',
  },
  intermediate_lifetime: {
    type: 'duration',
    absent: 'required',
    meaning: 'The longest somebody may take from the start of a login to its callback.',
  },
  ...KEY_FIELDS,
  providers: { type: 'list', absent: 'required', meaning: 'One or more identity providers.' },
  logout_redirect_hosts: {
    type: 'list of host names, labels may be starred',
    absent: { means: 'any http(s) address' },
    meaning: 'Where `redirect_url` of a logout may lead: `*.example.com`. Others are answered with 400.',
  },
  previous_keys: {
    type: 'list of key pairs',
    absent: { default: [] },
    meaning:
      'Pairs that still open what they sealed, newest first: for changing keys without logging anybody out.',
  },
} as const satisfies Fields;

export const KEY_PAIR_FIELDS: Fields = KEY_FIELDS;

export const CONTROL_FIELDS = {
  ...LISTENER_FIELDS,
  public_url: {
    type: 'URL without path',
    absent: 'required',
    meaning: 'Address of the control API, as the command line reaches it.',
  },
  client_certificates: {
    type: '`none`, `optional` or `required`',
    absent: { means: '`none`' },
    meaning:
      'Whether calls may, or must, come with a client certificate of an account. One with an API role needs no API key. It needs TLS that the service itself ends.',
  },
} as const satisfies Fields;

export const TUNNEL_FIELDS = {
  ...LISTENER_FIELDS,
  public_url: {
    type: 'URL without path',
    absent: 'required',
    meaning:
      'Address at which agents reach this gateway. Gateways that share one, behind a balancer, need a balancer that spreads connections; else give each its own.',
  },
} as const satisfies Fields;

export const PKI_FIELDS = {
  bind_address: LISTENER_FIELDS.bind_address,
  public_url: {
    type: '`http:` URL without path',
    absent: 'required',
    meaning:
      'Address of this listener, or of the proxy in front of it, as new certificates name it for their revocation list. CRLs are signed, and whoever checks a certificate may not have TLS yet (RFC 5280 section 8), so it is always `http:`.',
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
    meaning: 'The key that seals what is secret in the store, mode 0600. Keep a copy apart from backups.',
  },
  outage_grace: {
    type: 'duration',
    absent: { default: '30s' },
    meaning:
      'How long known sessions and shares are served while the database is unavailable. New logins and rechecks fail at once.',
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
    absent: { means: 'TLS, when the file has `tls` or `acme` and `bind_address` is not on loopback' },
    meaning:
      'Makes this listener plain although there are certificates. On loopback it is plain in any case.',
  },
} as const satisfies Fields;

export const BRAND_FIELDS = {
  name: { type: 'text, at most 60 characters', absent: { default: 'Doorward' }, meaning: 'Heads the pages.' },
  logo_file: {
    type: 'path',
    absent: { means: 'no logo' },
    meaning: 'SVG, PNG, JPEG or WebP of at most 64 KiB.',
  },
  contact: {
    type: 'email address or https URL',
    absent: { means: 'no contact' },
    meaning: 'Whom visitors can ask for help.',
  },
} as const satisfies Fields;

/** Of each account. What is there already stays when a limit is lowered. */
export const LIMIT_FIELDS = {
  calls_at_once: limitOf(
    { absent: DEFAULT_LIMITS.callsAtOnce, most: 1000 },
    'Calls of the control API that run at the same time. Others wait for their turn. Here, and in the two below, a quarter is for admins alone.',
  ),
  calls_waiting: limitOf(
    { absent: DEFAULT_LIMITS.callsWaiting, most: 100_000 },
    'Calls that wait. More are answered `429` with `Retry-After`.',
  ),
  writes_per_minute: limitOf(
    { absent: DEFAULT_LIMITS.writesPerMinute, most: 1_000_000 },
    'Calls that do more than read, each minute. More are answered `429` with `Retry-After`.',
  ),
  shares: limitOf({ absent: DEFAULT_LIMITS.shares, most: 1_000_000 }, 'Shares.'),
  hosts: limitOf(
    { absent: DEFAULT_LIMITS.hosts, most: 1_000_000 },
    'Hosts of its own, of all its shares together; a share has at most 20.',
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
    'Client certificates that are neither expired nor revoked. With so many, certificates are renewed, up to twice as many together with those that they renew, but no new one is issued and no further certificate request token is made. With twice as many that are revoked and not yet expired, none is renewed, either.',
  ),
  revoked_serials: limitOf(
    { absent: DEFAULT_LIMITS.revokedSerials, most: 1_000_000 },
    'Revoked serial numbers of certificates that a restored backup does not hold. A serial alone counts once for each certificate authority of the account.',
  ),
} as const satisfies Fields;

function limitOf({ absent, most }: { readonly absent: number; readonly most: number }, meaning: string) {
  return { type: `whole number, 1 to ${most}`, absent: { default: absent }, most, meaning } as const;
}

export const LOG_FIELDS = {
  level: {
    type: '`debug`, `info`, `warn` or `error`',
    absent: { default: 'info' },
    meaning: 'The least level that is written.',
  },
  access: { type: 'boolean', absent: { default: true }, meaning: 'Whether each request gets a line.' },
} as const satisfies Fields;
