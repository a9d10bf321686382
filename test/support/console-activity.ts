// A week of requests at an account's shares, as the gateways would have counted it: offices that open at
// eight, a short outage, a few who were turned away. For pictures of the overview; tests make real requests.

import { noFigures } from '../../src/domain/activity.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { TestService } from './service.ts';

/** Written to the store past the gateway, up to the ten minutes of now: what was counted stays as it is. */
export async function fillActivity({ config, client }: TestService): Promise<void> {
  const { items } = await client.shares.list({ limit: 1 });
  const share = items[0];
  if (share === undefined) throw new Error('Cannot count requests: there is no share');
  const { engine, masterKeyFile } = config.store;
  const masterKey = await readMasterKey(masterKeyFile);
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: false });
  try {
    const row = await store.shares.findById(share.id as never);
    if (row === null) throw new Error('Cannot count requests: the share is gone');
    const end = Date.now() - (Date.now() % STEP_MS);
    for (let at = end - 7 * DAY_MS; at < end; at += STEP_MS)
      await store.activity.add(at, [
        { shareId: row.id, accountId: row.accountId, ...countsAt(new Date(at)), ...noFigures() },
      ]);
  } finally {
    await store.close();
  }
}

/** A day of one share, with how long its answers took. */
export async function fillShareActivity({ config }: TestService, id: string): Promise<void> {
  const { engine, masterKeyFile } = config.store;
  const masterKey = await readMasterKey(masterKeyFile);
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: false });
  try {
    const row = await store.shares.findById(id as never);
    if (row === null) throw new Error('Cannot count requests: the share is gone');
    const end = Date.now() - (Date.now() % STEP_MS);
    for (let at = end - DAY_MS; at < end; at += STEP_MS) {
      const counts = countsAt(new Date(at));
      const figures = noFigures();
      figures.statuses.set([0, 0, counts.answered, 0, counts.refused, counts.faulted]);
      // Most within 8 ms, one in eight within 64 ms, and one in a hundred within half a second.
      for (const [bucket, part] of [
        [3, 0.865],
        [6, 0.125],
        [9, 0.01],
      ] as const)
        figures.durations[bucket] = Math.round(counts.answered * part);
      const ids = { shareId: row.id, accountId: row.accountId };
      await store.activity.add(at, [{ ...ids, ...counts, ...figures, durationsMs: counts.answered * 14 }]);
    }
  } finally {
    await store.close();
  }
}

/** Always the same for the same time. */
function countsAt(at: Date) {
  const hour = at.getUTCHours() + at.getUTCMinutes() / 60;
  const morning = 1.1 * Math.exp(-((hour - 10.2) ** 2) / 3.2);
  const afternoon = Math.exp(-((hour - 14.8) ** 2) / 5);
  const wobble = 0.86 + 0.28 * Math.abs(Math.sin(at.getTime() / 7.3e6) * Math.cos(at.getTime() / 1.9e6));
  const requests = Math.round((14 + 420 * (morning + afternoon)) * wobble);
  const isOut = Math.abs(hour - 13.2) < 0.2;
  const faulted = isOut ? Math.round(requests * 0.35) : 0;
  const refused = Math.round(requests * 0.05 * Math.abs(Math.sin(at.getTime() / 4.1e6)));
  return { requests, answered: requests - faulted - refused, refused, faulted };
}

const DAY_MS = 86_400_000;
const STEP_MS = 600_000;
