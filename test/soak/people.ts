// People for long runs: each has a browser, logs in, visits, logs out, and knows what must never be seen
// meanwhile. While the service is killed around them they try again; what they were promised must hold all
// the same.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createBrowser, walkLogin, type Browser, type BrowserAnswer } from '../support/browser-by-hand.ts';
import type { ServiceProcess } from '../support/service-process.ts';

export type Counts = { logins: number; visits: number; logouts: number; triedAgain: number };

export type Person = {
  readonly email: string;
  readonly browser: Browser;
  /** The Cookie header that the share gets. */
  readonly cookie: () => string;
  /** One page load that must come back as this person. */
  readonly visit: (path: string) => Promise<void>;
  /** Resolves once the browser was told that it is logged out. */
  readonly logOut: () => Promise<void>;
};

export type Crowd = {
  readonly service: ServiceProcess;
  readonly counts: Counts;
  /** Whether a request may fail for now, because the service was killed or is starting. */
  readonly mayFail: () => boolean;
};

/** A new browser, logged in to the share `demo`. */
export async function logIn(crowd: Crowd, email: string): Promise<Person> {
  const url = crowd.service.urlOf('demo');
  const browser = await insist(crowd, `${email} logs in`, async () => {
    // A login that broke off starts again from nothing, as people do.
    const fresh = createBrowser();
    const { last } = await walkLogin(fresh, url, { email });
    return isOwnPage(last, email) ? fresh : null;
  });
  crowd.counts.logins++;
  return {
    email,
    browser,
    cookie: () => browser.jar.header(new URL(url)) ?? '',
    visit: async (path) => {
      await insist(crowd, `${email} visits ${path}`, async () => {
        const answer = await browser.open(`${url}${path}`, { signal: AbortSignal.timeout(CALL_MS) });
        assert.notEqual(answer.status, 302, `${email} was sent to log in though nobody logged out`);
        return isOwnPage(answer, email) ? answer : null;
      });
      crowd.counts.visits++;
    },
    logOut: async () => {
      await insist(crowd, `${email} logs out`, async () => {
        const first = await browser.open(`${url}/.svc/logout`);
        const second = first.location === null ? first : await browser.open(first.location);
        return second.status === 302 ? second : null;
      });
      crowd.counts.logouts++;
    },
  };
}

/** Whether the share still answers to this Cookie header with a page of the backend. */
export async function stillOpens(crowd: Crowd, cookie: string): Promise<boolean> {
  const answer = await insist(crowd, 'somebody tries an old cookie', async () => {
    const headers = { cookie };
    const heard = await createBrowser().open(crowd.service.urlOf('demo'), { headers });
    return heard.status < 500 ? heard : null;
  });
  return answer.status === 200;
}

/** Nobody ever sees a page as somebody else. */
function isOwnPage(answer: BrowserAnswer, email: string): boolean {
  if (answer.status !== 200) return false;
  assert.equal((JSON.parse(answer.body) as { email: unknown }).email, email, 'a page came for somebody else');
  return true;
}

/**
 * Tries until it works; outside of kills the first time has to. Null, or a broken connection, means to try
 * again.
 */
async function insist<T>(crowd: Crowd, what: string, attempt: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + INSIST_MS;
  for (;;) {
    const failable = crowd.mayFail();
    let found = 'an answer that is none';
    try {
      const result = await attempt();
      if (result !== null) return result;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      found = String(error);
    }
    if (!failable && !crowd.mayFail()) throw new Error(`Cannot go on: ${what}, and got ${found}`);
    if (performance.now() > deadline) throw new Error(`Cannot go on: ${what}, in vain for long: ${found}`);
    crowd.counts.triedAgain++;
    await pause(AGAIN_MS);
  }
}

const CALL_MS = 30_000;
/**
 * A killed service is back within a second or two; on a busy machine it starts for half a minute, and is
 * killed again and again.
 */
const INSIST_MS = 300_000;
const AGAIN_MS = 50;
