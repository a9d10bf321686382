// An organisation as the console shows it: shares of every kind, people who are in and who were turned away,
// providers, certificates, keys, webhooks. All of it is made through the API and by visits, as in life.

import type { NewProvider } from '../../src/wire/provider.ts';
import type { NewShare } from '../../src/wire/share.ts';
import { type BrowserOptions, createBrowser, walkLogin } from './browser-by-hand.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from './openssl.ts';
import type { TestService } from './service.ts';
import { openUnlessProtected } from './open-unless-protected.ts';

export type Filling = {
  /** Where webhooks lead; each must be allowed by `outbound_allow`. */
  readonly hooks?: readonly string[];
  /** What a share reaches; the service's own backend unless said. */
  readonly target?: (share: string) => string;
  /** Over how visitors' browsers are made. */
  readonly browser?: (visitor: Visitor) => BrowserOptions;
};

export async function fillConsole(
  service: TestService,
  { hooks = [], target = () => service.backend.url, browser = () => ({}) }: Filling = {},
): Promise<void> {
  const { client } = service;
  for (const provider of PROVIDERS) await client.providers.create(provider);
  // What asks for certificates needs a gateway that ends TLS.
  for (const share of service.ca === null ? SHARES : [...SHARES, PAYROLL])
    await client.shares.create(
      openUnlessProtected({
        ...(share.tunnel === undefined ? { target: target(share.name) } : {}),
        ...share,
      }),
    );
  await addPeople(service);
  await addCertificates(service);
  for (const [index, url] of hooks.entries())
    await client.webhooks.create({ url, name: HOOKS[index % HOOKS.length] ?? 'hook', kinds: HOOK_KINDS });
  for (const visitor of VISITORS) await visit(service, visitor, browser(visitor));
}

async function addPeople({ client }: TestService): Promise<void> {
  for (const [email, role] of MEMBERS) await client.members.create({ email, role });
  await client.apiKeys.create({ name: 'ci', role: 'admin', expiresIn: '90d' });
  await client.apiKeys.create({ name: 'dashboard', scope: 'read' });
  await client.apiKeys.create({ name: 'graces-laptop', scope: 'tunnel', expiresIn: '30d' });
}

async function addCertificates({ client }: TestService): Promise<void> {
  await client.certificates.setPolicy({
    organization: 'Acme',
    organizationalUnits: ['Operations', 'Payroll', 'Partners'],
    maxValidity: '180d',
  });
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  for (const [index, input] of CERTIFICATES.entries()) {
    const { token } = await client.certificates.createToken({ organization: 'Acme', ...input });
    // The last ones are still to be redeemed.
    if (index >= CERTIFICATES.length - 2) continue;
    const { serial } = await client.certificates.redeem({ token, csr });
    if (index === 1) await client.certificates.revoke(serial, { reason: 'superseded' });
  }
}

export type Visitor = {
  readonly email: string;
  /** Where they come from, if the gateway believes it. */
  readonly address: string;
  readonly share: string;
  readonly userAgent: string;
  readonly paths: readonly string[];
};

/** Logs in at the share on the way, and looks around. */
export async function visit(
  { client, ca }: TestService,
  { email, share, userAgent, paths }: Visitor,
  options: BrowserOptions,
): Promise<void> {
  const browser = createBrowser({ userAgent, ...(ca === null ? {} : { ca }), ...options });
  const { url } = await client.shares.show(share);
  await walkLogin(browser, `${url}${paths[0] ?? '/'}`, { email });
  for (const path of paths.slice(1)) await browser.open(`${url}${path}`);
}

const PROVIDERS: readonly NewProvider[] = [
  {
    name: 'workspace',
    type: 'GOOGLE',
    config: { clientId: '471108150815-doorward.apps.googleusercontent.com', clientSecret: 'not a secret' },
  },
  {
    name: 'github-acme',
    type: 'GITHUB',
    config: { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: 'not a secret' },
  },
  {
    name: 'partners',
    type: 'OIDC',
    config: {
      issuerUrl: 'https://id.partners.example',
      clientId: 'doorward',
      clientSecret: 'not a secret',
      scopes: ['openid', 'email'],
      emailPatterns: ['*@partners.example'],
      requireVerifiedEmail: true,
    },
  },
];
const SHARES: readonly (NewShare & { readonly name: string })[] = [
  { name: 'wiki', oauthProvider: 'corp', oauthEmailAddressPatterns: ['*@acme.test'] },
  {
    name: 'grafana',
    oauthProvider: 'corp',
    oauthEmailAddressPatterns: ['*@ops.acme.test', 'ada@acme.test'],
    oauthCheckInterval: '30m',
  },
  { name: 'handbook', oauthProvider: 'workspace' },
  { name: 'builds', tunnel: 'reserved', oauthProvider: 'github-acme' },
  { name: 'invoices', oauthProvider: 'partners', oauthCheckInterval: '1h' },
  { name: 'status' },
  { name: 'old-intranet', oauthProvider: 'corp', enabled: false },
];
const PAYROLL: NewShare & { readonly name: string } = {
  name: 'payroll',
  oauthProvider: 'corp',
  oauthEmailAddressPatterns: ['*@acme.test'],
  clientCertificate: { required: true, unit: 'Payroll' },
};
const MEMBERS = [
  ['ada@acme.test', 'admin'],
  ['grace@acme.test', 'member'],
  ['barbara@ops.acme.test', 'member'],
] as const;
const CERTIFICATES = [
  {
    name: 'Ada’s notebook',
    commonName: 'Ada Lovelace',
    emailAddress: 'ada@acme.test',
    organizationalUnit: 'Payroll',
  },
  {
    name: 'Grace’s old phone',
    commonName: 'Grace Hopper',
    emailAddress: 'grace@acme.test',
    organizationalUnit: 'Payroll',
  },
  { name: 'Backup robot', commonName: 'backup-01', organizationalUnit: 'Operations', validity: '5d' },
  {
    name: 'Invoices of Partners',
    commonName: 'partners-invoices',
    organizationalUnit: 'Partners',
    validity: '90d',
  },
  {
    name: 'Grace’s new phone',
    commonName: 'Grace Hopper',
    emailAddress: 'grace@acme.test',
    organizationalUnit: 'Payroll',
  },
  { name: 'Metrics robot', commonName: 'metrics-02', organizationalUnit: 'Operations', expiresIn: '7d' },
] as const;
const HOOKS = ['Security log', 'Chat'];
const HOOK_KINDS = ['login.refused', 'certificate.issued'];
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0';
export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.2 Mobile/15E148 Safari/604.1';
export const VISITORS: readonly Visitor[] = [
  {
    email: 'ada@acme.test',
    address: '198.51.100.24',
    share: 'wiki',
    userAgent: FIREFOX,
    paths: ['/', '/pages/welcome', '/pages/on-call?week=47', '/search?q=vacation'],
  },
  {
    email: 'ada@acme.test',
    address: '198.51.100.24',
    share: 'grafana',
    userAgent: FIREFOX,
    paths: ['/', '/d/api-latency', '/api/datasources'],
  },
  {
    email: 'grace@acme.test',
    address: '203.0.113.87',
    share: 'wiki',
    userAgent: IPHONE,
    paths: ['/pages/on-call', '/'],
  },
  {
    email: 'barbara@ops.acme.test',
    address: '198.51.100.31',
    share: 'grafana',
    userAgent: CHROME,
    paths: ['/', '/d/disk-usage'],
  },
  {
    email: 'mallory@elsewhere.example',
    address: '192.0.2.66',
    share: 'wiki',
    userAgent: CHROME,
    paths: ['/'],
  },
];
