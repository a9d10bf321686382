// Profiles of a browser that look at the console, one test after the other. What the browser read and
// compiled of the console stays with a profile, which saves almost two seconds of CPU in each test; what a
// test left there goes.

import type { BrowserContext, Page } from 'playwright-core';

export type WatchedProfile = {
  readonly profile: BrowserContext;
  /** What went wrong in its tabs, since it was taken. */
  readonly trouble: string[];
};

/** A test, or whatever else ends, with what is done then. */
export type Ending = { readonly after: (end: () => unknown) => void };

/** `open` makes one whose tabs are watched; `origin` is where the console answers. */
export function createConsoleProfiles(open: () => Promise<WatchedProfile>, origin: string) {
  const free: (WatchedProfile & { readonly anchor: Page })[] = [];
  /** Without cookies or tabs, and until the end of the test for nobody else. */
  return async function takeProfile(t: Ending): Promise<WatchedProfile> {
    const taken = free.pop() ?? (await openAnchored(await open(), origin));
    const { profile, trouble, anchor } = taken;
    trouble.length = 0;
    t.after(async () => {
      await Promise.all(profile.pages().map((page) => (page === anchor ? null : page.close())));
      await profile.clearCookies();
      await anchor.evaluate('localStorage.clear()');
      free.push(taken);
    });
    return { profile, trouble };
  };
}

/** A tab of the console's site that runs nothing: while it is open, the process of the site lives on. */
async function openAnchored(watched: WatchedProfile, origin: string) {
  const anchor = await watched.profile.newPage();
  await anchor.goto(`${origin}/auth/session`);
  return { ...watched, anchor };
}

/** Tabs of one site in one profile share a process, so that the second one finds what the first compiled. */
export const SHARE_PROCESS = '--process-per-site';
