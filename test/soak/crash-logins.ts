// kill -9 of the whole service at random moments while people log in and out: whatever happened to a session
// is in the audit, and the audit tells of nothing that did not happen. Each second time the audit takes
// nothing for a while before, so that what would be written later is lost for certain.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { refuseAudit } from './audit-refusal.ts';
import { startSoakBackend } from './backend.ts';
import { onPostgres, onSqlite } from './crash-service.ts';

export type CrashedLogins = { readonly kills: number; readonly logins: number; readonly logouts: number };

export function crashLoginsOnSqlite(kills: number): Promise<CrashedLogins> {
  return onSqlite((service) => crash(service, kills));
}

export function crashLoginsOnPostgres(kills: number): Promise<CrashedLogins> {
  return onPostgres((service) => crash(service, kills));
}

async function crash(service: ServiceProcess, kills: number): Promise<CrashedLogins> {
  const backend = await startSoakBackend();
  try {
    await service.start();
    await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
    for (let kill = 0; kill < kills; kill++) {
      await comeAndGoUntilKilled(service, kill);
      await service.start();
    }
    return { kills, ...(await compare(service.client)) };
  } finally {
    backend.close();
  }
}

/** People log in, and each second one out again, until the service is killed at a random moment. */
async function comeAndGoUntilKilled(service: ServiceProcess, round: number): Promise<void> {
  const url = service.urlOf('demo');
  const first = Promise.withResolvers<void>();
  const seen = { walks: 0, killed: false };
  const person = async (writer: number): Promise<void> => {
    for (let number = 0; !seen.killed; number++)
      try {
        const browser = createBrowser();
        const walk = await walkLogin(browser, url, { email: `p${round}-${writer}-${number}@example.com` });
        seen.walks++;
        if (walk.last.status === 200) first.resolve();
        if (number % 2 === 0) continue;
        const { location } = await browser.open(`${url}/.svc/logout`);
        if (location !== null) await browser.open(location);
      } catch {
        // The service is gone, or about to be.
      }
  };
  const people = Array.from({ length: PEOPLE }, (_, writer) => person(writer));
  await first.promise;
  await pause(randomInt(MOMENT_MS));
  const refuses = round % 2 === 1;
  if (refuses) {
    await refuseAudit(service, true);
    const enough = seen.walks + 2 * PEOPLE;
    while (seen.walks < enough) await pause(LOOK_MS);
  }
  seen.killed = true;
  assert.equal(await service.stop('SIGKILL'), 'SIGKILL', 'the process ended only when it was killed');
  await Promise.all(people);
  if (refuses) await refuseAudit(service, false);
}

async function compare(client: Client): Promise<Omit<CrashedLogins, 'kills'>> {
  const sessions = await all((cursor) => client.sessions.list({ cursor, limit: 200 }));
  const eventsOf = async (kind: 'login.succeeded' | 'logout') => {
    const events = await all((cursor) => client.auditEvents.list({ kind: [kind], cursor, limit: 200 }));
    return events.map(({ sessionId }) => sessionId ?? '').toSorted();
  };
  const began = sessions.map(({ id }) => id).toSorted();
  const loggedOut = sessions.filter(({ endReason }) => endReason === 'logout').map(({ id }) => id);
  assert.deepEqual(await eventsOf('login.succeeded'), began, 'each session has its login in the audit');
  assert.deepEqual(await eventsOf('logout'), loggedOut.toSorted(), 'each logout is in the audit');
  return { logins: began.length, logouts: loggedOut.length };
}

type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

async function all<Item>(page: (cursor: string | null) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ;) {
    const found = await page(cursor);
    items.push(...found.items);
    cursor = found.nextCursor;
    if (cursor === null) return items;
  }
}

const PEOPLE = 6;
const LOOK_MS = 10;
/** Some dozens of logins: each of their lines is met in a hundred kills. */
const MOMENT_MS = 600;
