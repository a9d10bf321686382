// The console in Chromium, in front of a whole service: tabs that are logged in as an admin or as a member,
// and whatever went wrong in them. One of it a file:
//
//   before(async () => { console = await startConsole(); });
//   after(() => console.close());
//   test('…', async (t) => {
//     const tab = await console.tab(t);                // logged in as the account's admin
//     await tab.open('/shares');                       // whole page load of /console/shares
//     await tab.page.getByRole('link', { name: 'New share' }).click();
//     await tab.settled();
//     await tab.accessible();                          // axe finds nothing
//     tab.noTrouble();                                 // no CSP report, no error, nothing that failed
//   });

import assert from 'node:assert/strict';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { assertAccessible, type AxeInput } from './axe.ts';
import { walkLogin } from './browser-by-hand.ts';
import { startShell } from './chromium.ts';
import { startPostgres } from './postgres.ts';
import {
  createConsoleProfiles,
  type Ending,
  SHARE_PROCESS,
  type WatchedProfile,
} from './console-profiles.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';

export type TestConsole = {
  readonly service: TestService;
  /** Where the console answers, without a path. */
  readonly origin: string;
  /**
   * A profile that nobody else uses, with one tab, closed with the test. A later test may get the profile,
   * without what was left in it.
   */
  readonly tab: (t: Ending, input?: TabInput) => Promise<ConsoleTab>;
  /** Stops browser and service. */
  readonly close: () => Promise<void>;
};

/** Which database the console's services have: `SQLite` unless said, or `PostgreSQL`. */
export const PAGES_ON = 'DOORWARD_TEST_PAGES_ON';

export type TabInput = Partial<Omit<BrowserContextOptions, 'reducedMotion'>> & {
  /** The account's first admin unless said; another address becomes a member; null is nobody. */
  readonly as?: 'admin' | 'member' | `${string}@${string}` | null;
};

export type ConsoleTab = {
  readonly page: Page;
  readonly profile: BrowserContext;
  /** Loads the page at this path below /console, and waits until it is settled. */
  readonly open: (path?: string) => Promise<void>;
  /** Goes to the path below /console as a link of the console does: nothing is loaded again. */
  readonly go: (path: string) => Promise<void>;
  /** Waits for the page's heading, or for what went wrong, and until nothing on it is busy any more. */
  readonly settled: () => Promise<void>;
  /** axe finds nothing wrong on the page as it is now. */
  readonly accessible: (how?: AxeInput) => Promise<void>;
  /**
   * Nothing went wrong since the tab was opened: no report of the policy, no error in the console or of a
   * script, no answer of 500 or more, no file that was missing. What the API refuses is no trouble. `but` is
   * what the test brought about itself.
   */
  readonly noTrouble: (but?: RegExp) => void;
};

/** `start` is another browser than the pages need. */
export async function startConsole(
  options: TestServiceOptions = {},
  start: typeof startShell = startShell,
): Promise<TestConsole> {
  // SQLite, as everywhere, unless the long run asks for the other.
  const postgres = process.env[PAGES_ON] === 'PostgreSQL' ? await startPostgres() : null;
  const service = await startTestService({
    ...(postgres === null ? {} : { storeUrl: (await postgres.formedPlace()).reveal() }),
    ...options,
    // Members are known by their verified address.
    corp: { require_verified_email: true, ...options.corp },
  });
  const chromium = await start(service, [SHARE_PROCESS]);
  const origin = `http://127.0.0.1:${service.ports.control}`;
  const takeProfile = createConsoleProfiles(async () => {
    const profile = await chromium.profile(DEFAULTS);
    return { profile, trouble: await watch(profile) };
  }, origin);
  const ownProfile = async (t: Ending, input: BrowserContextOptions): Promise<WatchedProfile> => {
    const profile = await chromium.profile({ ...DEFAULTS, ...input });
    t.after(() => profile.close());
    return { profile, trouble: await watch(profile) };
  };
  return {
    service,
    origin,
    async tab(t, { as = 'admin', ...input } = {}) {
      // Who is nobody at first goes to other sites, too, which may leave something.
      const isPlain = as !== null && Object.keys(input).length === 0;
      const { profile, trouble } = await (isPlain ? takeProfile(t) : ownProfile(t, input));
      const page = await profile.newPage();
      if (as !== null) await profile.addCookies([await sessionOf(service, origin, as)]);
      return tabOf({ page, profile, origin, trouble });
    },
    async close() {
      await chromium.close();
      await service.close();
      await postgres?.[Symbol.asyncDispose]();
    },
  };
}

type Watched = {
  readonly page: Page;
  readonly profile: BrowserContext;
  readonly origin: string;
  readonly trouble: readonly string[];
};

function tabOf({ page, profile, origin, trouble }: Watched): ConsoleTab {
  const settled = async () => {
    await page.locator('main :is(h1, [role=alert])').first().waitFor();
    // In words that a strict policy lets pass at any time: no text is compiled in the page.
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  };
  return {
    page,
    profile,
    settled,
    async open(path = '/') {
      await page.goto(`${origin}/console${path}`);
      await settled();
    },
    async go(path) {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(`/console${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.evaluate(DRAWN);
      await settled();
    },
    accessible: (how) => assertAccessible(page, how),
    noTrouble(but) {
      assert.deepEqual(
        trouble.filter((each) => but?.test(each) !== true),
        [],
      );
    },
  };
}

/** What goes wrong in all tabs of the profile, from now on. */
async function watch(profile: BrowserContext): Promise<string[]> {
  const trouble: string[] = [];
  await profile.exposeBinding('reportPolicy', (_source, report: string) => void trouble.push(report));
  await profile.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    reportPolicy('policy: ' + event.violatedDirective + ' kept out ' + event.blockedURI + ' ' + event.sample))`);
  profile.on('weberror', (each) => trouble.push(`script: ${each.error().stack ?? each.error().message}`));
  profile.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  profile.on('console', (message) => {
    // Answers are judged below, by what was asked for.
    const isTrouble = message.type() === 'error' || message.type() === 'warning';
    if (isTrouble && !message.text().startsWith('Failed to load resource'))
      trouble.push(`console: ${message.text()}`);
  });
  profile.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const status = response.status();
    if (status >= 500 || (status >= 400 && !/^\/(?:v1|auth)\//.test(pathname)))
      trouble.push(`answer: ${status} to ${response.request().method()} ${response.url()}`);
  });
  profile.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The page itself gives up on what it needs no more.
    if (reason !== 'net::ERR_ABORTED') trouble.push(`request: ${reason} for ${request.url()}`);
  });
  return trouble;
}

/** The cookie that a login by hand leaves: what the browser would get, without a page to look at. */
async function sessionOf(service: TestService, origin: string, as: NonNullable<TabInput['as']>) {
  const email = as === 'admin' ? ADMIN : as === 'member' ? MEMBER : as;
  if (email !== ADMIN && !(await isMember(service, email))) await invite(service, email);
  const { name } = await service.client.account.show();
  const browser = service.browser();
  const start = `${origin}/auth/login?${new URLSearchParams({ provider: 'corp', account: name })}`;
  await walkLogin(browser, start, { email, until: (next) => next.pathname.startsWith('/console') });
  const cookie = browser.jar.find('svc-control');
  assert.ok(cookie !== undefined, `Cannot log in to the console as ${email}: no cookie came`);
  return { name: cookie.name, value: cookie.value, url: origin, httpOnly: true, sameSite: 'Lax' as const };
}

async function isMember(service: TestService, email: string): Promise<boolean> {
  const { items } = await service.client.members.list();
  return items.some((member) => member.email === email);
}

async function invite(service: TestService, email: string): Promise<void> {
  const { invitation } = await service.client.members.create({ email });
  await walkLogin(service.browser(), invitation.url, {
    email,
    until: (next) => next.pathname.startsWith('/console'),
  });
}

/** As `addAccount` of the service makes it. */
const ADMIN = 'admin@acme.test';
const MEMBER = 'member@acme.test';
const DEFAULTS: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
};
/** What an event changed is drawn before the second frame after it. */
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))';
