// What the contract promises, row by row and bullet by bullet (its sections 2.1 to 2.7, 3, 4, 5.1 to 5.4, 7
// and 8), each with the tests that would fail if it did not hold.

export type Row = {
  /** Where in the contract, then the row's own words. */
  readonly row: string;
  readonly proofs: readonly Proof[];
};

/** A test file, and the name of a test in it as it is printed. */
export type Proof = readonly [file: string, name: string];

const LOGIN = 'test/conformance/contract-login.test.ts';
const LOGOUT = 'test/conformance/contract-logout.test.ts';
const SESSIONS = 'test/conformance/contract-sessions.test.ts';
const CONFIGURATION = 'test/conformance/contract-configuration.test.ts';
const PARSE = 'src/config/parse.test.ts';
const OPTIONS = 'test/conformance/contract-share-options.test.ts';
const DEFINED_FILE = 'test/conformance/contract-definitions.test.ts';
const DEFINITIONS = 'test/conformance/provider-definitions.test.ts';
const SHARES = 'src/control/shares/shares.test.ts';
const DECISION = 'src/domain/decision.test.ts';
const CERTIFICATES = 'src/control/certificates/certificates.test.ts';
const REDEEM_PAGE = 'test/e2e/redeem-page.test.ts';
const NO_CREDENTIALS: Proof = [
  CERTIFICATES,
  'a token is redeemed without credentials, and what comes out passes openssl (contract 1.7, 2.7)',
];
const TOKEN_ONCE: Proof = [
  CERTIFICATES,
  'a token comes in the body or as bearer, and is good once (contract 2.7, DESIGN 2.6)',
];
const TOKEN_RACE: Proof = [
  'src/store/suite/certificates.test-support.ts',
  'certificateRequestTokens.redeem() uses a token up once, whoever tries at the same time (contract 2.7)',
];
const ADMINS_ALONE: readonly Proof[] = [
  [
    'src/control/authorize.test.ts',
    'createCertificateRequestToken: role and scope are held against the table',
  ],
];
const INSECURE: Proof = [
  CERTIFICATES,
  'tokens and certificates are not given out over plain HTTP but on this machine (contract 5.4, DESIGN 2.6)',
];
const PAGE_INSECURE: Proof = [
  'src/control/redeem-page/redeem-page.test.ts',
  'GET /redeem answers at its own host alone, and over an encrypted connection or on this machine (contract 5.4)',
];
const CERTIFICATE_SHARES = 'test/e2e/certificate-shares.test.ts';
const VISITS = 'test/e2e/browser-visits.test.ts';
const PUBLIC = 'test/e2e/share-public.test.ts';

const TYPES = ['oidc', 'google', 'github'] as const;

/** One proof for each provider type. */
function each(file: string, name: string): readonly Proof[] {
  return TYPES.map((type) => [file, `${type}: ${name}`] as const);
}

function required(field: string): Proof {
  return [PARSE, `oauth.${field} is required and has no default (contract 2.1)`];
}

function needed(field: string): Proof {
  return [PARSE, `an oidc provider needs ${field} (contract 2.2)`];
}

const DEFINED: readonly Proof[] = ['OIDC', 'GOOGLE', 'GITHUB'].map((type) => [
  DEFINED_FILE,
  `a definition of type ${type}: its name, client and settings make a login and a logout (2.4)`,
]);
const START = each(
  LOGIN,
  'without a cookie the share leads to the login page of the provider it names (3 row 1; 5.1 points 1 to 3)',
);
const REDIRECT_URL = each(
  LOGIN,
  "the provider gets the OAuth frontend as redirect URL, and the client's own settings (2.1 endpoint_url; 2.2; 5.1 points 5 and 9)",
);
const CALLBACK = each(
  LOGIN,
  'the callback makes the session, sets the cookie and redirects to the original address (4.1; 3 rows 2 and 3; 5.1 points 4 to 8)',
);
const HEADERS = each(LOGIN, 'the backend gets provider, email and expiry on every request (2.6; 3 row 5)');
const PATTERNS = each(
  LOGIN,
  'an address that matches any one pattern gets in; globs are of the whole address (2.3; 5.1 point 7)',
);
const REFUSED = each(
  LOGIN,
  'an address that matches no pattern gets no session, and a page that says so (3 row 4; 7)',
);
const REVOKED = each(LOGOUT, 'the provider token is revoked at the provider (4.2 point 1)');
const CLEARED = each(LOGOUT, 'the session cookie is set to expire immediately, in its domain (4.2 point 2)');
const TO_REDIRECT_URL = each(
  LOGOUT,
  'the browser is redirected to redirect_url if supplied (4.2 point 3, query, output)',
);
const TO_LOGIN_PAGE = each(
  LOGOUT,
  "otherwise the browser ends on the provider's login page (4.2 point 3, output)",
);
const OTHERS_SESSION = each(
  LOGOUT,
  'a session of another provider is left alone, and nothing is revoked (4.2 point 4)',
);
const REVOCATION_FAILS = each(
  LOGOUT,
  'the local session is cleared although revocation fails (4.2 point 5; 7)',
);
const IDEMPOTENT = each(
  LOGOUT,
  'repeated, or without a session, it redirects and causes no error (4.2 point 6; 3; 7)',
);
const LIFETIME: Proof = [
  SESSIONS,
  'session_lifetime is the longest a session lasts, checked each 3h: then it is invalid, also for a browser that keeps the cookie (2.1, 2.5, 3 row 6, 8)',
];
const INTERMEDIATE: Proof = [
  CONFIGURATION,
  'oauth.intermediate_lifetime: a callback that comes later gives no session (2.1, 3, 8)',
];
const SEVERAL_PROVIDERS: Proof = [
  LOGIN,
  'several providers on one OAuth frontend: each share goes to its own, in one browser (1 point 1; 2.1 providers; 2.3 --oauth-provider)',
];
const NOT_SHARED: Proof = [
  LOGIN,
  'a session is for its share: another share with the same provider starts the flow again (2.5; 8)',
];
const COOKIE: Proof = [
  LOGIN,
  'the session cookie: its name, domain and age are those configured, its content is sealed (2.5)',
];
const DIRECT: Proof = [
  LOGIN,
  'direct access and shares without a login carry no identity headers, whatever a client sends (2.6; 5.2)',
];
const DEFAULT_INTERVAL: readonly Proof[] = [
  [SHARES, '--oauth-check-interval is a duration, 3h by default (contract 2.3, 8)'],
  [OPTIONS, '--oauth-check-interval is 3h unless said (2.3, 8)'],
  [SESSIONS, 'check interval not reached: proxied, and the provider is not asked (3 row 5; 8 default 3h)'],
];
const SIGNING_KEY: readonly Proof[] = [
  [CONFIGURATION, 'oauth.signing_key of 32 characters serves, of 31 nothing starts (2.1, 8)'],
];
const ENCRYPTION_KEY: readonly Proof[] = [
  [CONFIGURATION, 'oauth.encryption_key of 24 characters serves, of 23 nothing starts (2.1, 8)'],
];
const TRANSPARENT: Proof = [
  SESSIONS,
  'check interval reached, provider refreshes: checked without the visitor noticing (3 row 7; 2.3 --oauth-check-interval)',
];

/** By section. */
export const CONTRACT: Readonly<Record<string, readonly Row[]>> = {
  '2.1 Frontend OAuth configuration': [
    {
      row: 'every field is required, there are no defaults',
      proofs: [required('endpoint_url'), required('session_lifetime')],
    },
    {
      row: 'bind_address: where the OAuth frontend listens',
      proofs: [
        required('bind_address'),
        [CONFIGURATION, 'oauth.bind_address: the OAuth frontend listens there (2.1)'],
      ],
    },
    {
      row: 'endpoint_url: public base URL, the redirect URL at providers',
      proofs: [
        required('endpoint_url'),
        [
          CONFIGURATION,
          'oauth.endpoint_url: where logins start and where providers send people back to (2.1)',
        ],
        ...REDIRECT_URL,
      ],
    },
    {
      row: 'cookie_name',
      proofs: [
        required('cookie_name'),
        [
          CONFIGURATION,
          'oauth.cookie_name and oauth.cookie_domain: name and domain of the session cookie (2.1, 2.5)',
        ],
      ],
    },
    {
      row: 'cookie_domain',
      proofs: [
        required('cookie_domain'),
        [
          CONFIGURATION,
          'oauth.cookie_name and oauth.cookie_domain: name and domain of the session cookie (2.1, 2.5)',
        ],
      ],
    },
    { row: 'session_lifetime: maximum duration', proofs: [required('session_lifetime'), LIFETIME] },
    {
      row: 'intermediate_lifetime: lifetime of intermediate tokens',
      proofs: [required('intermediate_lifetime'), INTERMEDIATE],
    },
    {
      row: 'signing_key: at least 32 characters, unique, secures payloads',
      proofs: [
        required('signing_key'),
        ...SIGNING_KEY,
        [CONFIGURATION, 'oauth.signing_key: sessions made with another one are no sessions (2.1, 2.5)'],
        [
          'src/login/seal.test.ts',
          'createSeal() needs both keys: with either one changed nothing opens (2.1 signing_key, encryption_key)',
        ],
      ],
    },
    {
      row: 'encryption_key: at least 24 characters, unique, encrypts session data',
      proofs: [
        required('encryption_key'),
        ...ENCRYPTION_KEY,
        [CONFIGURATION, 'oauth.encryption_key: sessions made with another one are no sessions (2.1, 2.5)'],
      ],
    },
    { row: 'providers: one or more', proofs: [required('providers'), SEVERAL_PROVIDERS] },
  ],
  '2.2 Provider entry': [
    {
      row: 'name: required, unique, part of the URLs',
      proofs: [needed('name'), [CONFIGURATION, 'provider name: part of its addresses, unique (2.2)']],
    },
    { row: 'type: google, github, oidc', proofs: [needed('type'), SEVERAL_PROVIDERS, ...CALLBACK] },
    {
      row: 'client_id',
      proofs: [
        needed('client_id'),
        [
          CONFIGURATION,
          'provider client_id and client_secret: the client that logs people in; with wrong ones nobody gets in (2.2)',
        ],
      ],
    },
    {
      row: 'client_secret',
      proofs: [
        needed('client_secret'),
        [
          CONFIGURATION,
          'provider client_id and client_secret: the client that logs people in; with wrong ones nobody gets in (2.2)',
        ],
      ],
    },
    {
      row: 'scopes',
      proofs: [needed('scopes'), [CONFIGURATION, 'provider scopes: asked for as they are (2.2)']],
    },
    {
      row: 'issuer',
      proofs: [
        needed('issuer'),
        [CONFIGURATION, 'provider issuer: its metadata are read there, and must be its own (2.2)'],
      ],
    },
    {
      row: 'supports_pkce',
      proofs: [
        needed('supports_pkce'),
        [CONFIGURATION, 'provider supports_pkce true: PKCE is used (2.2)'],
        [CONFIGURATION, 'provider supports_pkce false: PKCE is not used (2.2)'],
      ],
    },
  ],
  '2.3 Share OAuth settings': [
    {
      row: '--oauth-provider: not repeatable, none by default, enables OAuth with that provider',
      proofs: [
        [SHARES, '--oauth-provider enables the login with that provider; the default is none (contract 2.3)'],
        SEVERAL_PROVIDERS,
        [OPTIONS, '--oauth-provider names the provider; without it the share has no login (2.3)'],
        [OPTIONS, '--oauth-provider is given once for each provider, --oauth-check-interval once (2.3)'],
        [
          PUBLIC,
          'the address comes first, then how it is protected, then a line a request; Ctrl+C takes it away (The person’s view)',
        ],
      ],
    },
    {
      row: '--oauth-email-address-pattern: repeatable, any one match is enough',
      proofs: [
        [SHARES, '--oauth-email-address-pattern repeats, and each must be a glob (contract 2.3)'],
        [
          OPTIONS,
          '--oauth-email-address-pattern may be repeated, and an address that matches any one gets in (2.3)',
        ],
        ...PATTERNS,
      ],
    },
    {
      row: '--oauth-check-interval: not repeatable, 3h, how often authentication is verified again',
      proofs: [
        ...DEFAULT_INTERVAL,
        TRANSPARENT,
        [OPTIONS, '--oauth-provider is given once for each provider, --oauth-check-interval once (2.3)'],
      ],
    },
  ],
  '2.4 Auth provider definition': [
    { row: 'name', proofs: DEFINED },
    {
      row: 'type: OIDC, GOOGLE, GITHUB',
      proofs: [
        ...DEFINED,
        [
          DEFINITIONS,
          'names of the configuration win, names and fields are judged, unknown fields refused (2.4)',
        ],
      ],
    },
    {
      row: 'config',
      proofs: [
        ...DEFINED,
        [
          DEFINITIONS,
          'a change is live without a restart, and another client ends the sessions of the former (2.4, DESIGN 3)',
        ],
      ],
    },
    { row: 'config.clientId', proofs: DEFINED },
    {
      row: 'config.clientSecret',
      proofs: [
        ...DEFINED,
        [DEFINITIONS, 'a secret is never read back, and lies encrypted in the store (2.4)'],
      ],
    },
    { row: 'config.issuerUrl: used by OIDC', proofs: DEFINED },
    {
      row: 'config.scopes: used by OIDC',
      proofs: [[DEFINED_FILE, 'config.scopes of a definition are asked for as they are (2.4)']],
    },
    {
      row: 'email patterns combined with a definition; each tenant its own',
      proofs: [
        [
          DEFINED_FILE,
          'each tenant has its own definition and patterns; a share gets the one that fits (2.4)',
        ],
        [
          DEFINITIONS,
          'examples/providers are sound definitions (2.4: enterprise, partner, developer, customer, tenant)',
        ],
        [
          DEFINITIONS,
          'the guide to definitions works line by line: enterprise, partner, developer, customer, tenants (2.4)',
        ],
      ],
    },
  ],
  '2.5 Session cookie': [
    {
      row: 'named by cookie_name, scoped to cookie_domain, at most session_lifetime',
      proofs: [COOKIE, LIFETIME],
    },
    {
      row: 'session data encrypted and signed with the configured keys',
      proofs: [
        COOKIE,
        ['src/login/seal.test.ts', 'createSeal() refuses any flipped bit of IV, ciphertext and tag'],
        [
          'src/login/seal.test.ts',
          'deriveSealKey() takes the MAC half from signing_key and the cipher half from encryption_key (2.1)',
        ],
      ],
    },
    {
      row: 'not shared between shares; another share restarts the flow',
      proofs: [
        NOT_SHARED,
        [
          'test/e2e/browser-tabs.test.ts',
          'tabs: moving to another share starts the login again, and both stay logged in (2.5)',
        ],
      ],
    },
  ],
  '2.6 Proxied identity headers': [
    { row: 'svc-auth-provider', proofs: HEADERS },
    { row: 'svc-auth-email', proofs: HEADERS },
    {
      row: 'svc-auth-expires, RFC 3339',
      proofs: [
        ...HEADERS,
        ['src/gateway/identity-headers.test.ts', 'rfc3339() is in UTC with whole seconds (2.6)'],
      ],
    },
    {
      row: 'on every proxied request after authentication',
      proofs: [...HEADERS, [LOGIN, 'a WebSocket carries the identity headers too (2.6 every request)']],
    },
    {
      row: 'only through the OAuth-protected frontend; direct access carries none',
      proofs: [
        DIRECT,
        [LOGIN, 'forged identity headers on a protected share are replaced by the true ones (2.6; 5.2)'],
        [
          PUBLIC,
          'a visitor’s own identity headers reach neither the backend nor the request line (contract 2.6)',
        ],
      ],
    },
  ],
  '2.7 Certificate request token and certificate metadata': [
    { row: 'single use: invalid once it is redeemed', proofs: [TOKEN_ONCE, TOKEN_RACE] },
    {
      row: 'redeemed by uploading a CSR; no API key or other credential is needed',
      proofs: [
        NO_CREDENTIALS,
        [REDEEM_PAGE, 'as pasted text: the certificate is saved as PEM (contract 2.7)'],
      ],
    },
    { row: 'only authorized administrators create tokens', proofs: ADMINS_ALONE },
    {
      row: 'token fields (not shown)',
      proofs: [[CERTIFICATES, 'what is no name, address or duration is refused with its path (DESIGN 2.6)']],
    },
    {
      row: 'metadata follow the standards of the organization',
      proofs: [
        [CERTIFICATES, 'the rules of the account hold for each token (contract 2.7: naming standards)'],
      ],
    },
  ],
  '3 States and transitions': [
    {
      row: 'no valid session cookie, request: redirected to the provider login page',
      proofs: [...START, [DECISION, 'no valid session cookie: the visitor is sent to log in (3 row 1)']],
    },
    { row: 'provider redirects to the callback: code exchanged, user info fetched', proofs: CALLBACK },
    {
      row: 'email matches a pattern, or none is configured: session, cookie, original URL',
      proofs: [
        ...CALLBACK,
        ...PATTERNS,
        ['src/login/callback.test.ts', 'callback lets any email in where no pattern is configured (3)'],
      ],
    },
    {
      row: 'email matches no pattern: no session',
      proofs: [
        ...REFUSED,
        [VISITS, 'refused email: a page says who, and "Use another account" gets another one in (3, 7)'],
      ],
    },
    {
      row: 'valid session, not expired, interval not reached: proxied with identity headers',
      proofs: [
        ...HEADERS,
        [
          DECISION,
          'session not expired and check interval not reached: forwarded with its identity (3 row 5)',
        ],
      ],
    },
    {
      row: 'session_lifetime elapses: invalid, authenticate again',
      proofs: [
        LIFETIME,
        [VISITS, 'session_lifetime over: the visitor logs in again (2.5, 3)'],
        [DECISION, 'session_lifetime elapsed this very moment: log in again (3 row 6)'],
      ],
    },
    {
      row: 'check interval reached, refresh supported: transparent',
      proofs: [
        TRANSPARENT,
        [DECISION, 'check interval reached and refresh supported: checked with the provider (3 row 7)'],
        [
          'test/conformance/recheck.test.ts',
          '50 checks at once make one refresh of a rotating token, and none is logged out (3 Check interval)',
        ],
      ],
    },
    {
      row: 'check interval reached, refresh not supported: authenticate again',
      proofs: [
        [
          SESSIONS,
          'check interval reached, provider does not refresh: the visitor must authenticate again (3 row 8)',
        ],
        [DECISION, 'check interval reached and refresh not supported: log in again (3 row 8)'],
      ],
    },
    {
      row: 'logout of a session of that provider: revoked, cleared, redirected',
      proofs: [
        ...REVOKED,
        ...CLEARED,
        ...TO_REDIRECT_URL,
        [DECISION, 'session ended by logout: log in again (3 row 9)'],
      ],
    },
    { row: 'logout without a session: no error', proofs: IDEMPOTENT },
    {
      row: 'between redirect and callback at most intermediate_lifetime',
      proofs: [
        INTERMEDIATE,
        [
          VISITS,
          'an attempt older than intermediate_lifetime: a page says so, and a link starts again (3, 8)',
        ],
      ],
    },
  ],
  '4.1 Provider callback': [
    {
      row: 'method GET, path /<provider_name>/auth/callback',
      proofs: [
        ...CALLBACK,
        [LOGIN, 'the callback is for GET, at /<provider_name>/auth/callback of a configured provider (4.1)'],
      ],
    },
    { row: 'input: the authorization response', proofs: CALLBACK },
    { row: 'output: redirect to the original share URL with the cookie set', proofs: CALLBACK },
  ],
  '4.2 Logout': [
    {
      row: 'method GET, path /<provider_name>/logout',
      proofs: each(LOGOUT, 'the method is GET, the path /<provider_name>/logout (4.2)'),
    },
    { row: 'query redirect_url: optional, absolute', proofs: TO_REDIRECT_URL },
    {
      row: 'output: to redirect_url, otherwise to the provider login page',
      proofs: [...TO_REDIRECT_URL, ...TO_LOGIN_PAGE],
    },
    {
      row: '1. the provider token is revoked at the provider',
      proofs: [
        ...REVOKED,
        [
          LOGOUT,
          'oidc: without a revocation endpoint at the provider the logout is the same, and asks it nothing (4.2 point 1)',
        ],
      ],
    },
    {
      row: '2. the session cookie expires immediately',
      proofs: [
        ...CLEARED,
        ...each(LOGOUT, 'a copy of the cookie opens nothing after the logout (4.2 point 2)'),
      ],
    },
    { row: '3. the browser is redirected', proofs: [...TO_REDIRECT_URL, ...TO_LOGIN_PAGE] },
    {
      row: '4. the session must belong to the provider in the path',
      proofs: [
        ...OTHERS_SESSION,
        ...each(
          LOGOUT,
          "of two providers' sessions in one cookie only the named provider's ends (4.2 point 4)",
        ),
      ],
    },
    { row: '5. revocation fails: the local session is still cleared', proofs: REVOCATION_FAILS },
    { row: '6. idempotent', proofs: IDEMPOTENT },
  ],
  '5.1 End-user authentication': [
    { row: '1. the user opens the share URL', proofs: START },
    { row: '2. the service checks for a valid session cookie', proofs: [...START, NOT_SHARED] },
    { row: '3. redirected to the provider named by --oauth-provider', proofs: [...START, SEVERAL_PROVIDERS] },
    { row: '4. the user authenticates with the provider', proofs: CALLBACK },
    { row: '5. back at /<provider_name>/auth/callback on the OAuth frontend', proofs: CALLBACK },
    { row: '6. code exchanged, user information read', proofs: CALLBACK },
    { row: '7. the email is checked against every pattern', proofs: [...PATTERNS, ...REFUSED] },
    { row: '8. session, cookie, redirect to the original URL', proofs: CALLBACK },
    { row: '9. the OAuth frontend address is the redirect URL at providers', proofs: REDIRECT_URL },
  ],
  '5.2 Backend trust': [
    {
      row: 'headers are trusted only through the frontend; backends verify that they are there',
      proofs: [
        DIRECT,
        [
          'test/e2e/example-backends.test.ts',
          'examples/backend-node answers only with a valid assertion (5.2, DESIGN "Signed identity")',
        ],
      ],
    },
    { row: 'svc-auth-expires for warnings and automatic logout', proofs: [...HEADERS, LIFETIME] },
  ],
  '5.3 Client certificates': [
    {
      row: 'an API endpoint can require a certificate and its private key on each call (1.8)',
      proofs: [
        [
          CERTIFICATE_SHARES,
          'keys of every kind open a share by curl, by HTTP/1.1 and HTTP/2, and the backend is told whose they are (1.8, 5.3)',
        ],
        ['src/domain/client-certificate.test.ts', 'no certificate: refused'],
        ['src/domain/client-certificate.test.ts', 'a certificate that was revoked: refused'],
      ],
    },
    {
      row: 'service to service: the callee validates the certificate of the caller; no shared secrets or API keys',
      proofs: [
        [
          CERTIFICATE_SHARES,
          'keys of every kind open a share by curl, by HTTP/1.1 and HTTP/2, and the backend is told whose they are (1.8, 5.3)',
        ],
        [
          'test/e2e/service-to-service.test.ts',
          'examples/service-to-service: curl, Node and Go call through the gateway, which tells the callee who calls (1.8, 5.3)',
        ],
        [
          'test/e2e/service-to-service.test.ts',
          'examples/service-to-service/node answers the caller that it knows, and no other certificate (5.3)',
        ],
        [
          'test/gateway/certificate-identities.test.ts',
          'a refusal says why, and of a certificate of the account which one it was; pages too (DESIGN "Mutual TLS")',
        ],
      ],
    },
    {
      row: 'every connection is validated; nothing is trusted for where it comes from',
      proofs: [
        [
          'test/gateway/client-certificates.test.ts',
          'a certificate of the account of the share lets in, by HTTP/1.1 and HTTP/2 (DESIGN "Mutual TLS")',
        ],
        [
          'test/gateway/client-certificates.test.ts',
          'a request for a host of another policy than the connection gets 421 (DESIGN "Mutual TLS")',
        ],
      ],
    },
  ],
  '5.4 Certificate request tokens': [
    {
      row: 'shared only over secure channels; single use; created only by authorized administrators',
      proofs: [INSECURE, PAGE_INSECURE, TOKEN_ONCE, ...ADMINS_ALONE],
    },
  ],
  '7 Errors': [
    { row: 'logout tolerates a failed revocation', proofs: REVOCATION_FAILS },
    { row: 'logout tolerates a missing session', proofs: IDEMPOTENT },
    { row: 'no session for an email that matches no pattern', proofs: REFUSED },
  ],
  '8 Limits': [
    { row: 'signing_key: at least 32 characters', proofs: SIGNING_KEY },
    { row: 'encryption_key: at least 24 characters', proofs: ENCRYPTION_KEY },
    { row: 'session_lifetime: maximum, no default', proofs: [required('session_lifetime'), LIFETIME] },
    { row: 'intermediate_lifetime: no default', proofs: [required('intermediate_lifetime'), INTERMEDIATE] },
    { row: '--oauth-check-interval: 3h by default', proofs: DEFAULT_INTERVAL },
    { row: 'sessions across shares: not shared', proofs: [NOT_SHARED] },
  ],
};
