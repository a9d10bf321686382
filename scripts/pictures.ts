// `npm run pictures [-- NAME…]`: pictures of the console for the documents, into docs/images/console. Every
// page in light and dark, on a desktop and on a phone, with the people and things of
// test/support/console-data.ts at names of their own; those named alone if any is.

import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { chromium, type Browser, type Page } from 'playwright-core';
import { requestAccess } from '../test/support/access-requests.ts';
import { type BrowserOptions, createBrowser, walkLogin } from '../test/support/browser-by-hand.ts';
import { ARGUMENTS, trustedKeys } from '../test/support/chromium.ts';
import { fillActivity } from '../test/support/console-activity.ts';
import { fillConsole, visit, VISITORS, type Visitor } from '../test/support/console-data.ts';
import { addHistory } from '../test/support/console-history.ts';
import { startTestService, type TestService } from '../test/support/service.ts';
import { startWebhookReceiver } from '../test/support/webhook-receiver.ts';
import { compactPng } from './pictures/compact-png.ts';

type Picture = {
  /** Of the file. */
  readonly name: string;
  /** Below the console's host. */
  readonly path: string;
  /** Nobody is logged in. */
  readonly alone?: boolean;
  /** Taken after all others: people wait for access by then. */
  readonly isAskedFor?: boolean;
  /** What happens before the picture is taken. */
  readonly before?: (page: Page, service: TestService) => Promise<void>;
};

const PICTURES: readonly Picture[] = [
  { name: 'login', path: '/console/', alone: true },
  { name: 'overview', path: '/console/' },
  { name: 'shares', path: '/console/shares' },
  { name: 'share', path: '/console/shares/wiki', before: beBusy },
  { name: 'rules', path: '/console/shares/wiki?email=ada%40partners.example', before: editRules },
  { name: 'new-share', path: '/console/shares/%2Bnew' },
  { name: 'providers', path: '/console/providers' },
  { name: 'provider', path: '/console/providers/partners' },
  { name: 'new-provider', path: '/console/providers/%2Bnew' },
  { name: 'sessions', path: '/console/sessions' },
  { name: 'saved-views', path: '/console/sessions', before: saveViews },
  { name: 'person-access', path: '/console/sessions/access?email=grace%40acme.test&provider=corp' },
  { name: 'certificates', path: '/console/certificates' },
  { name: 'request-tokens', path: '/console/certificates/tokens' },
  { name: 'request-token', path: '/console/certificates/tokens/new', before: makeToken },
  { name: 'authority', path: '/console/certificates/authority' },
  { name: 'members', path: '/console/people' },
  { name: 'api-keys', path: '/console/people/keys' },
  { name: 'webhooks', path: '/console/webhooks' },
  { name: 'webhook-deliveries', path: '/console/webhooks', before: openWebhook },
  { name: 'settings', path: '/console/settings' },
  { name: 'brand', path: '/console/settings', before: showBrand },
  { name: 'audit', path: '/console/audit' },
  { name: 'my-apps', path: '/console/apps' },
  { name: 'my-access', path: '/console/me' },
  { name: 'go-to', path: '/console/shares', before: goTo },
  { name: 'redeem', path: '/redeem', alone: true, before: openLink },
  { name: 'access-requests', path: '/console/', isAskedFor: true },
];
/** Those that are visited are on this machine. */
const TARGETS: Readonly<Record<string, string>> = {
  wiki: 'http://127.0.0.1:8080',
  grafana: 'http://127.0.0.1:3000',
  handbook: 'http://10.20.0.14:8000',
  invoices: 'http://10.20.0.31:9000',
  status: 'http://10.20.0.5:8080',
  'old-intranet': 'http://10.20.0.2:80',
  payroll: 'https://10.20.0.40:8443',
};
const APPS = [
  ['wiki', 'Notes and decisions of the team', 'building'],
  ['grafana', 'Dashboards of every service', 'globe'],
  ['handbook', 'How we work', 'people'],
  ['status', 'What is up', 'OK'],
] as const;
const VIEWS = [
  ['Recently ended', '?state=ended'],
  ['At the wiki', '?share=wiki'],
] as const;
const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};
const RULES_AS_TEXT = `rules:
  - allow: { providers: [corp], groups: [eng-*], addresses: [203.0.113.0/24] }
  - allow: { providers: [partners], emails: ['*@partners.example'], until: 2027-03-31 }
  - allow: { everyone: true, paths: [/healthz] }
  - deny: { emails: [mallory@example.com] }
`;
const ASKING = [
  { email: 'grace@acme.test', message: 'I am on call this week, and need the latency dashboard.' },
  { email: 'margaret@acme.test', message: '' },
];
const DOMAIN = 'acme.example';
const ORIGIN = `https://console.${DOMAIN}`;
const ADA = 'ada@acme.test';
const INTO = join(import.meta.dirname, '../docs/images/console');

async function main(names: readonly string[]): Promise<void> {
  const wanted = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  const hook = await startWebhookReceiver();
  const service = await startTestService({
    tls: true,
    domain: DOMAIN,
    outboundAllow: ['127.0.0.1', 'localhost'],
    corp: { require_verified_email: true, display_name: 'Acme staff', icon: 'building' },
    sections: (ports) => ({
      brand: { name: 'Acme', contact: 'help@acme.example' },
      gateway: {
        bind_address: `127.0.0.1:${ports.gateway}`,
        public_url: `https://*.${DOMAIN}`,
        direct_targets: ['127.0.0.0/8', '10.20.0.0/16'],
        trusted_proxies: ['127.0.0.1'],
      },
    }),
  });
  const backends = [3000, 8080].map((port) => passOn(port, service.backend.port));
  try {
    await fillConsole(service, {
      hooks: [hook.url],
      target: (share) => TARGETS[share] ?? service.backend.url,
      browser: (visitor) => browserOf(visitor, service),
    });
    await describe(service);
    await fillActivity(service);
    await addHistory(service, Date.now());
    await mkdir(INTO, { recursive: true });
    await takeAll(
      service,
      wanted.filter(({ isAskedFor = false }) => !isAskedFor),
    );
    await askForAccess(service);
    await takeAll(
      service,
      wanted.filter(({ isAskedFor = false }) => isAskedFor),
    );
  } finally {
    for (const server of backends) server.close();
    await service.close();
    await hook.close();
  }
}

/** What people see of providers and apps. */
async function describe({ client }: TestService): Promise<void> {
  await client.providers.modify('partners', { config: { displayName: 'Partners', icon: 'people' } });
  await client.providers.modify('workspace', { config: { displayName: 'Google Workspace' } });
  for (const [share, description, icon] of APPS) await client.shares.modify(share, { description, icon });
}

/** A backend where people would have one. */
function passOn(port: number, to: number): Server {
  return createServer(
    (socket) => void pipeline(socket, connect(to, '127.0.0.1'), socket, () => undefined),
  ).listen(port, '127.0.0.1');
}

function browserOf({ address }: Visitor, { ports }: TestService): BrowserOptions {
  return { headers: { 'x-forwarded-for': address }, securePort: ports.gateway };
}

async function askForAccess(service: TestService): Promise<void> {
  const { url } = await service.client.shares.modify('grafana', { accessRequests: true });
  for (const asking of ASKING) {
    const browser = createBrowser({ ca: service.ca ?? '', securePort: service.ports.gateway });
    await requestAccess(browser, url, asking);
  }
}

/** People at the share while the page is open. */
async function beBusy(page: Page, service: TestService): Promise<void> {
  const panel = page.getByRole('region', { name: 'Live requests' });
  await panel.getByRole('status').getByText('Live').waitFor();
  for (const visitor of VISITORS.filter(({ share }) => share === 'wiki'))
    await visit(service, visitor, browserOf(visitor, service));
  await panel.getByText('mallory@elsewhere.example').first().or(panel.getByText('/search')).first().waitFor();
}

/** Rules of a share while somebody edits them, and the answer for them as typed. */
async function editRules(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByRole('button', { name: 'Edit as text' }).click();
  await page.getByLabel('Rules as text').fill(RULES_AS_TEXT);
  await page.getByRole('button', { name: 'Edit as form' }).click();
  await page.getByRole('button', { name: 'Edit rule 2' }).click();
  await page.getByText('Allowed by rule 2').waitFor();
  await page.getByRole('group', { name: 'Rules', exact: true }).evaluate((rules) => rules.scrollIntoView());
}

async function makeToken(page: Page): Promise<void> {
  await page.getByLabel('Common name').fill('Linus Pauling');
  await page.getByLabel('Device or use').fill('Linus’s notebook');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { name: 'A link for Linus Pauling' }).waitFor();
}

/** The page for visitors, drawn as an image. */
async function showBrand(page: Page): Promise<void> {
  const figure = page.getByRole('figure');
  await figure
    .getByRole('img')
    .evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  await page.getByRole('region', { name: 'Brand' }).evaluate((brand) => brand.scrollIntoView());
}

async function openWebhook(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Webhooks' }).getByRole('link').first().click();
  await page.getByRole('table', { name: 'Recent deliveries' }).getByRole('link').first().waitFor();
}

async function saveViews(page: Page): Promise<void> {
  for (const [name, query] of VIEWS) {
    await page.goto(`${ORIGIN}/console/sessions${query}`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByText('The view was saved').waitFor();
  }
  await page.reload();
  await page.getByRole('table', { name: 'Sessions' }).getByRole('link').first().waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
}

async function goTo(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('wi');
}

/** As who was sent it. */
async function openLink(page: Page, { client }: TestService): Promise<void> {
  const { redeemUrl } = await client.certificates.createToken({
    name: 'Linus’s notebook',
    commonName: 'Linus Pauling',
    organization: 'Acme',
    organizationalUnit: 'Payroll',
  });
  await page.goto(redeemUrl);
  await page.getByRole('button', { name: 'Get the certificate' }).waitFor();
}

async function takeAll(service: TestService, wanted: readonly Picture[]): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      ...ARGUMENTS,
      ...(await trustedKeys(service)),
      `--host-resolver-rules=MAP *.${DOMAIN}:443 127.0.0.1:${service.ports.gateway}`,
    ],
  });
  try {
    const session = await logIn(service);
    for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[])
      for (const colorScheme of ['light', 'dark'] as const)
        await takeEach(browser, wanted, { service, session, size, colorScheme });
  } finally {
    await browser.close();
  }
}

type Look = {
  readonly service: TestService;
  readonly session: string;
  readonly size: keyof typeof SIZES;
  readonly colorScheme: 'light' | 'dark';
};

async function takeEach(
  browser: Browser,
  wanted: readonly Picture[],
  { service, session, size, colorScheme }: Look,
): Promise<void> {
  const profile = await browser.newContext({
    viewport: SIZES[size],
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const page = await profile.newPage();
  for (const { name, path, alone = false, before } of wanted) {
    await profile.clearCookies();
    if (!alone) await profile.addCookies([sessionCookie(session)]);
    await page.goto(`${ORIGIN}${path}`);
    await page.locator('main :is(h1, [role=alert])').first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await before?.(page, service);
    const picture = await page.screenshot({ animations: 'disabled' });
    await writeFile(join(INTO, `${name}-${size}-${colorScheme}.png`), compactPng(picture));
  }
  await profile.close();
}

function sessionCookie(value: string) {
  return {
    name: '__Host-svc-control',
    value,
    url: ORIGIN,
    httpOnly: true,
    secure: true,
    sameSite: 'Lax' as const,
  };
}

async function logIn(service: TestService): Promise<string> {
  const browser = createBrowser({ ca: service.ca ?? '', securePort: service.ports.gateway });
  await walkLogin(browser, `${ORIGIN}/auth/login?provider=corp`, {
    email: ADA,
    until: (next) => next.pathname.startsWith('/console'),
  });
  const cookie = browser.jar.find('__Host-svc-control');
  if (cookie === undefined) throw new Error(`Cannot take pictures: ${ADA} could not log in`);
  return cookie.value;
}

await main(process.argv.slice(2));
