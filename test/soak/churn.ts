// People log in, visit and log out while data-plane workers and the whole process are killed at random.
// Nobody is ever seen as somebody else; whoever logged in stays logged in; whoever logged out is out for
// ever, two seconds later at most.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { layOutService } from '../support/service-process.ts';
import { startSoakBackend } from './backend.ts';
import { logIn, stillOpens, type Counts, type Crowd } from './people.ts';

export type Churned = Counts & { readonly processKills: number; readonly workerKills: number };

/** Ends after `kills` kills; throws at the first broken promise. */
export async function churn(options: { readonly people: number; readonly kills: number }): Promise<Churned> {
  const backend = await startSoakBackend();
  const trigger = join(tmpdir(), `doorward-worker-ends-${process.pid}-${randomInt(1e9)}`);
  const dying = new URL('../support/worker-that-dies.ts', import.meta.url);
  dying.searchParams.set('file', trigger);
  const service = await layOutService({ nodeFlags: ['--import', dying.href] });
  const counts: Counts = { logins: 0, visits: 0, logouts: 0, triedAgain: 0 };
  let calmAt = 0;
  const crowd: Crowd = { service, counts, mayFail: () => performance.now() < calmAt };
  const stopping = new AbortController();
  const killed = { process: 0, worker: 0 };
  const kill = async () => {
    calmAt = Infinity;
    if (randomInt(2) === 0) {
      killed.process++;
      assert.equal(await service.stop('SIGKILL'), 'SIGKILL', 'the process ended only when it was killed');
      await service.start();
    } else {
      killed.worker++;
      writeFileSync(trigger, '');
    }
    calmAt = performance.now() + RECOVER_MS;
  };
  const killAll = async () => {
    for (let n = 0; n < options.kills && !stopping.signal.aborted; n++) {
      await pause(randomInt(...BETWEEN_KILLS_MS));
      await kill();
    }
  };
  try {
    await service.start();
    await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
    const lives = Array.from({ length: options.people }, (_, n) =>
      live(crowd, `person-${n}@example.com`, stopping),
    );
    const kills = killAll().finally(() => stopping.abort());
    await Promise.all([...lives, kills]);
    return { ...counts, processKills: killed.process, workerKills: killed.worker };
  } finally {
    stopping.abort();
    backend.close();
    await service.close();
  }
}

async function live(crowd: Crowd, email: string, stopping: AbortController): Promise<void> {
  const dead: string[] = [];
  try {
    while (!stopping.signal.aborted) {
      const person = await logIn(crowd, email);
      for (let left = randomInt(1, 8); left > 0; left--) {
        await person.visit('/page?n=1');
        await pause(randomInt(200));
      }
      const cookie = person.cookie();
      await person.logOut();
      await pause(DEAD_MS);
      dead.push(cookie);
      const old = dead[randomInt(dead.length)] ?? cookie;
      assert.equal(await stillOpens(crowd, cookie), false, `${email} logged out, and the cookie still opens`);
      assert.equal(await stillOpens(crowd, old), false, `${email} logged out long ago, and the cookie opens`);
    }
  } finally {
    // One broken promise ends the run.
    stopping.abort();
  }
}

const BETWEEN_KILLS_MS = [300, 3_000] as const;
/** Until then a worker or process that was killed may still be missing. */
const RECOVER_MS = 3_000;
/** DESIGN 3: a copied cookie is dead within two seconds. */
const DEAD_MS = 2_000;
