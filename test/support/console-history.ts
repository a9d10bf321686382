// A week behind an organisation, for lists and sums: logins that come and go with the working day, a few who
// were turned away, and people who are still there. It is written into the store of a service that runs, the
// same each time but for when it ends.

import type { AccountId, ShareId } from '../../src/domain/id.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { CHROME, FIREFOX, IPHONE } from './console-data.ts';
import type { TestService } from './service.ts';

/** `now`: when it ends; nothing is written of the last quarter of an hour. */
export async function addHistory(service: TestService, now: number): Promise<void> {
  const { engine, masterKeyFile } = service.config.store;
  const masterKey = await readMasterKey(masterKeyFile);
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: false });
  try {
    const { id } = await service.client.account.show();
    const { items } = await service.client.shares.list({ limit: 200 });
    const shareIds = new Map(items.map((share) => [share.name, share.id as ShareId]));
    await store.audit.append(logins({ accountId: id as AccountId, shareIds, now }));
    await addSessions(store, { accountId: id as AccountId, shareIds, now });
  } finally {
    await store.close();
  }
}

type Past = {
  readonly accountId: AccountId;
  readonly shareIds: ReadonlyMap<string, ShareId>;
  readonly now: number;
};

function logins({ accountId, shareIds, now }: Past): AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let ago = WEEK_MS, index = 0; ago >= QUARTER_MS; ago -= QUARTER_MS * 2, index++) {
    if (workload(now - ago) * unevenness(index) < 0.35) continue;
    const person = PEOPLE[index % PEOPLE.length];
    if (person === undefined) continue;
    const isRefused = index % 17 === 0;
    events.push({
      id: newId('evt'),
      at: now - ago + (index % 13) * 61_000,
      kind: isRefused ? 'login.refused' : 'login.succeeded',
      accountId,
      shareId: shareIds.get(person.share) ?? null,
      sessionId: null,
      provider: person.provider,
      email: isRefused ? STRANGER : person.email,
      actor: null,
      ip: isRefused ? '192.0.2.66' : person.ip,
      requestId: null,
      reason: isRefused ? 'email_refused' : null,
    });
  }
  return events;
}

/** Those of the people who came this morning and are still there. */
async function addSessions(store: Store, { accountId, shareIds, now }: Past): Promise<void> {
  for (const [index, { email, share, provider, ip, userAgent }] of PEOPLE.entries()) {
    const shareId = shareIds.get(share);
    if (shareId === undefined) continue;
    const createdAt = now - QUARTER_MS * (2 + index * 1.7);
    await store.sessions.begin({
      session: {
        id: newId('ses'),
        shareId,
        accountId,
        providerName: provider,
        providerGeneration: 'past',
        subject: `subject of ${email}`,
        email,
        browserHash: `browser ${index}`,
        bindingHash: null,
        createdAt,
        expiresAt: createdAt + 6 * HOUR_MS,
        checkedAt: now - QUARTER_MS * 0.7 * (index + 1),
        lastSeenAt: now - 70_000 * (index + 1),
        ip,
        providerSid: null,
        userAgent,
      },
      tokens: { accessToken: new Secret('none'), refreshToken: null, idToken: null, subject: null },
      former: [],
      recentSince: now,
      loopSince: now,
      loopUntil: now,
      confirmWithinMs: null,
      loopLimit: 3,
      event: null,
      emailVerified: true,
    });
  }
}

/** Nearly nothing at night, most before and after lunch; between 0 and 1. */
function workload(at: number): number {
  const date = new Date(at);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  const day = Math.exp(-(((hour - 10.5) / 2.6) ** 2)) + 0.9 * Math.exp(-(((hour - 15) / 2.4) ** 2)) + 0.04;
  return Math.min(1, day);
}

/** The same for the same place; between 0.5 and 1.5. */
function unevenness(place: number): number {
  const wave = Math.sin(Math.floor(place) * 12.9898) * 43_758.5453;
  return 0.5 + (wave - Math.floor(wave));
}

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const STRANGER = 'mallory@elsewhere.example';
const PEOPLE = [
  {
    email: 'linus@acme.test',
    share: 'builds',
    provider: 'github-acme',
    ip: '198.51.100.77',
    userAgent: FIREFOX,
  },
  {
    email: 'katherine@acme.test',
    share: 'handbook',
    provider: 'workspace',
    ip: '203.0.113.12',
    userAgent: IPHONE,
  },
  {
    email: 'radia@ops.acme.test',
    share: 'grafana',
    provider: 'corp',
    ip: '198.51.100.35',
    userAgent: FIREFOX,
  },
  { email: 'alan@acme.test', share: 'wiki', provider: 'corp', ip: '2001:db8:7::42', userAgent: CHROME },
  {
    email: 'edsger@partners.example',
    share: 'invoices',
    provider: 'partners',
    ip: '192.0.2.130',
    userAgent: CHROME,
  },
];
