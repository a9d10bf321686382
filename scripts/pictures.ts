// `npm run pictures [-- NAME…]`: pictures of the console for the documents, into docs/images/console. Every page in light and dark, on a
// desktop and on a phone, with the people and things of test/support/console-data.ts at names of their own; those named alone if any is.

import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createBrowser, walkLogin } from '../test/support/browser-by-hand.ts';
import { ARGUMENTS, trustedKeys } from '../test/support/chromium.ts';
import { fillActivity } from '../test/support/console-activity.ts';
import { fillConsole } from '../test/support/console-data.ts';
import { startTestService, type TestService } from '../test/support/service.ts';
import { startWebhookReceiver } from '../test/support/webhook-receiver.ts';
import { compactPng } from './pictures/compact-png.ts';

type Picture = {
  /** Of the file. */
  readonly name: string;
  /** Below the console's host. */
  readonly path: string;
  /** What is done before the picture is taken. */
  readonly before?: (page: Page) => Promise<void>;
};

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: '/console/' },
  { name: 'shares', path: '/console/shares' },
  { name: 'share', path: '/console/shares/wiki' },
  { name: 'new-share', path: '/console/shares/%2Bnew' },
  { name: 'providers', path: '/console/providers' },
  { name: 'provider', path: '/console/providers/partners' },
  { name: 'new-provider', path: '/console/providers/%2Bnew' },
  { name: 'sessions', path: '/console/sessions' },
  { name: 'certificates', path: '/console/certificates' },
  { name: 'authority', path: '/console/certificates/authority' },
  { name: 'members', path: '/console/people' },
  { name: 'api-keys', path: '/console/people/keys' },
  { name: 'webhooks', path: '/console/webhooks' },
  { name: 'audit', path: '/console/audit' },
  { name: 'my-access', path: '/console/me' },
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
const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};
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
    corp: { require_verified_email: true },
    sections: (ports) => ({
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
      browser: ({ address }) => ({
        headers: { 'x-forwarded-for': address },
        securePort: service.ports.gateway,
      }),
    });
    await fillActivity(service);
    await mkdir(INTO, { recursive: true });
    await takeAll(service, wanted);
  } finally {
    for (const server of backends) server.close();
    await service.close();
    await hook.close();
  }
}

/** A backend where people would have one. */
function passOn(port: number, to: number): Server {
  return createServer(
    (socket) => void pipeline(socket, connect(to, '127.0.0.1'), socket, () => undefined),
  ).listen(port, '127.0.0.1');
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
        await takeEach(browser, wanted, { session, size, colorScheme });
  } finally {
    await browser.close();
  }
}

type Look = {
  readonly session: string;
  readonly size: keyof typeof SIZES;
  readonly colorScheme: 'light' | 'dark';
};

async function takeEach(
  browser: Browser,
  wanted: readonly Picture[],
  { session, size, colorScheme }: Look,
): Promise<void> {
  const profile = await browser.newContext({
    viewport: SIZES[size],
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await profile.addCookies([
    {
      name: '__Host-svc-control',
      value: session,
      url: ORIGIN,
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    },
  ]);
  const page = await profile.newPage();
  for (const { name, path, before } of wanted) {
    await page.goto(`${ORIGIN}${path}`);
    await page.locator('main :is(h1, [role=alert])').first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await before?.(page);
    const picture = await page.screenshot({ animations: 'disabled' });
    await writeFile(join(INTO, `${name}-${size}-${colorScheme}.png`), compactPng(picture));
  }
  await profile.close();
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
