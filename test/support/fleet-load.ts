// Visitors who ask without a pause, through nginx, as those of `gateway-fleet.ts` do while something happens
// to it; what each of them got is kept, so that a test can tell who was let in, and by which gateway.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserRequest } from './browser-by-hand.ts';
import type { Echo } from './echo-backend.ts';
import { eventually } from './serve-process.ts';

export type Looked = {
  readonly status: number;
  /** The one that answered; when others failed before it, the last. */
  readonly gateway: string;
  /** Whom the backend saw; null when the request did not get there. */
  readonly email: string | null;
};

/** One page load; `via` names a gateway, else nginx chooses. */
export async function look(
  browser: Browser,
  url: string,
  via?: string,
  request: BrowserRequest = {},
): Promise<Looked> {
  const headers = { ...request.headers, ...(via === undefined ? {} : { 'user-agent': via }) };
  const answer = await browser.open(url, { ...request, headers });
  const gateway = String(answer.headers['x-gateway']).split(', ').at(-1) ?? '';
  return { status: answer.status, gateway, email: answer.status === 200 ? emailOf(answer.body) : null };
}

/** Empty for a request that came without. */
function emailOf(echo: string): string {
  return String((JSON.parse(echo) as Echo).headers['svc-auth-email'] ?? '');
}

export type Visitor = {
  readonly browser: Browser;
  readonly url: string;
  /** Beside the address and what a navigation has. */
  readonly request?: BrowserRequest;
};

export type FleetLoad = {
  /** What each visitor got so far, in the order of `visitors`. */
  readonly seen: readonly (readonly Looked[])[];
  /** Resolves once each visitor got so many more answers. */
  readonly untilMore: (count: number) => Promise<void>;
  /** How often a connection broke. */
  readonly broken: () => number;
  readonly end: () => Promise<void>;
};

/**
 * A request whose connection breaks is made again, as browsers do with a GET, but not for ever. Each visitor
 * rests `restMs` between two requests.
 */
export function startFleetLoad(visitors: readonly Visitor[], restMs = 0): FleetLoad {
  const seen = visitors.map((): Looked[] => []);
  const ending = new AbortController();
  let allBroken = 0;
  const visit = async ({ browser, url, request }: Visitor, kept: Looked[]): Promise<void> => {
    for (let broken = 0; !ending.signal.aborted;) {
      try {
        kept.push(await look(browser, url, undefined, request));
        broken = 0;
      } catch (error) {
        allBroken++;
        if (++broken > MAX_BROKEN) throw error;
      }
      if (restMs > 0) await pause(restMs);
    }
  };
  const running = Promise.all(visitors.map((visitor, index) => visit(visitor, seen[index] ?? [])));
  // Whoever ends it hears of the fault.
  running.catch(() => undefined);
  return {
    seen,
    untilMore: async (count) => {
      const goals = seen.map((kept) => kept.length + count);
      const reached = (): boolean => seen.every((kept, index) => kept.length >= (goals[index] ?? 0));
      await Promise.race([running, eventually(`${count} more answers`, reached)]);
      assert.ok(reached());
    },
    broken: () => allBroken,
    end: async () => {
      ending.abort();
      await running;
    },
  };
}

const MAX_BROKEN = 5;
