// kill -9 of the whole service at random moments while programs change things through its API: whatever was
// answered is there when it runs again, with its audit event, and whatever was under way is there whole or
// not at all.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import type { Secret } from '../../src/domain/secret.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import { backUpStore, restoreStore } from '../../src/store/backup/stores.ts';
import { readMasterKeys } from '../../src/store/sealing/master-key.ts';
import { startOwnPostgres } from '../support/postgres.ts';
import { changeConfig } from '../support/serve-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';

export type CrashedService = { readonly kills: number; readonly acknowledged: number };

export function crashOnSqlite(kills: number): Promise<CrashedService> {
  return onSqlite((service) => crash(service, kills));
}

export function crashOnPostgres(kills: number): Promise<CrashedService> {
  return onPostgres((service) => crash(service, kills));
}

/** A service of its own that does not run yet, on each engine. */
export async function onSqlite<Found>(run: (service: ServiceProcess) => Promise<Found>): Promise<Found> {
  const service = await layOutService();
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}

export async function onPostgres<Found>(run: (service: ServiceProcess) => Promise<Found>): Promise<Found> {
  await using server = await startOwnPostgres({ durable: true });
  return await onSqlite(async (service) => {
    await moveTo(service, await server.place());
    return run(service);
  });
}

/** The account and its key go along. */
async function moveTo(service: ServiceProcess, url: Secret): Promise<void> {
  const file = join(service.folder, 'moved');
  const silent = { now: Date.now, progress: () => undefined };
  await backUpStore({ kind: 'sqlite', file: service.storeFile }, { ...silent, to: file, force: false });
  const masterKeys = await readMasterKeys(join(service.folder, 'master.key'));
  await restoreStore(
    { kind: 'postgres', url },
    { ...silent, file, masterKeys, keepSessions: false, revokeKeys: false },
  );
  changeConfig(service, (config) => Object.assign(config['store'] ?? {}, { url: url.reveal() }));
}

async function crash(service: ServiceProcess, kills: number): Promise<CrashedService> {
  let acknowledged = 0;
  await service.start();
  for (let kill = 0; kill < kills; kill++) {
    const since = new Date(Date.now() - 1_000).toISOString();
    const promises = await changeUntilKilled(service, kill);
    await service.start();
    for (const promised of promises) await check(service.client, promised);
    await checkAudit(service.client, promises, since);
    acknowledged += promises.reduce((sum, { answers }) => sum + answers, 0);
  }
  return { kills, acknowledged };
}

/** What was promised of one share. */
type Promised = {
  readonly name: string;
  /** Null until the API answered that it is made. */
  id: string | null;
  /** As last answered; null when it is removed. */
  target: string | null;
  /** What is asked for and not answered; undefined when nothing is. */
  asked: string | null | undefined;
  answers: number;
};

/**
 * Each writer makes shares, changes them and removes some, until the service is killed at a random moment.
 */
async function changeUntilKilled(service: ServiceProcess, round: number): Promise<readonly Promised[]> {
  const promises: Promised[] = [];
  const first = Promise.withResolvers<void>();
  const write = async (writer: number): Promise<void> => {
    for (let number = 0; ; number++) {
      const promised = fresh(`s${round}-${writer}-${number}`);
      promises.push(promised);
      if (!(await changeOne(service.client, promised, number))) return;
      first.resolve();
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  await Promise.race([first.promise, writers]);
  await pause(randomInt(MOMENT_MS));
  assert.equal(await service.stop('SIGKILL'), 'SIGKILL', 'the process ended only when it was killed');
  await writers;
  assert.ok(promises.some(({ answers }) => answers > 0));
  return promises;
}

function fresh(name: string): Promised {
  return { name, id: null, target: null, asked: undefined, answers: 0 };
}

/** False when no answer came. */
async function changeOne({ shares }: Client, promised: Promised, number: number): Promise<boolean> {
  const { name } = promised;
  const steps: readonly (readonly [string | null, () => Promise<unknown>])[] = [
    [
      TARGETS[0],
      async () => (promised.id = (await shares.create({ name, target: TARGETS[0], open: true })).id),
    ],
    [TARGETS[1], () => shares.modify(name, { target: TARGETS[1] })],
    ...(number % 2 === 0 ? [[null, () => shares.remove(name)] as const] : []),
  ];
  for (const [target, step] of steps) {
    promised.asked = target;
    try {
      await step();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'control_unreachable') return false;
      throw error;
    }
    promised.target = target;
    promised.asked = undefined;
    promised.answers++;
  }
  return true;
}

async function check({ shares }: Client, { name, target, asked }: Promised): Promise<void> {
  const found = await shares.show(name).then(
    (share) => share.target,
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'share_unknown') return null;
      throw error;
    },
  );
  const allowed = asked === undefined ? [target] : [target, asked];
  assert.ok(allowed.includes(found), `${name} is ${found}, and was promised to be ${allowed.join(' or ')}`);
}

async function checkAudit(
  { auditEvents }: Client,
  promises: readonly Promised[],
  since: string,
): Promise<void> {
  const written = new Set<string | null>();
  for (let cursor: string | null = null; ;) {
    const page = await auditEvents.list({ kind: ['share.created'], since, limit: 200, cursor });
    for (const { shareId } of page.items) written.add(shareId);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  for (const { id, name } of promises)
    assert.ok(id === null || written.has(id), `the audit knows that ${name} was made`);
}

const TARGETS = ['http://127.0.0.1:3000', 'http://127.0.0.1:3001'] as const;
const WRITERS = 3;
/** Some dozens of changes: each of their lines is met in a hundred kills. */
const MOMENT_MS = 400;
