// Another configuration, or other certificates, put to use while the service runs.

import { faultsTogether } from '../config/check-together.ts';
import { configError } from '../config/config-fault.ts';
import type { Config } from '../config/config.ts';
import { readTlsFiles, watchTlsFiles } from '../config/tls-files.ts';
import type { RouteFeed } from '../control/feed/route-feed.ts';
import { OPERATOR } from '../domain/actor.ts';
import { auditEvent } from '../domain/audit-event.ts';
import type { Log } from '../domain/log.ts';
import type { FrontDoors } from './front-doors.ts';
import { gateSettings } from './gate-settings.ts';
import type { Records } from './records.ts';
import { restartNeeded, withoutRestart } from './restart-needed.ts';
import { createRooms, type RoomDeps } from './rooms.ts';
import { materialsOf, type Running } from './running.ts';

export type Reloader = {
  /** Puts another configuration to use. What needs a restart is named in the log and stays as it was. */
  readonly reload: (config: Config) => Promise<void>;
  /** Stops watching the files of certificates. */
  readonly stop: () => void;
};

export type ReloadDeps = {
  readonly roomDeps: RoomDeps;
  readonly records: Records;
  readonly feed: RouteFeed;
  readonly doors: FrontDoors;
  readonly now: () => number;
  readonly log: Log;
};

export function createReloader(running: Running, deps: ReloadDeps): Reloader {
  const { doors, log } = deps;
  let unwatch = watchCertificates(running, doors, log);
  let reloading: Promise<unknown> = Promise.resolve();
  const rewatch = () => {
    unwatch();
    unwatch = watchCertificates(running, doors, log);
  };
  return {
    reload(wanted) {
      // One at a time, in the order they were asked for: the last file wins.
      const turn = reloading.then(() => reload(running, deps, { wanted, rewatch }));
      reloading = turn.catch(() => undefined);
      return turn;
    },
    stop: () => unwatch(),
  };
}

async function reload(
  running: Running,
  { roomDeps, records, feed, doors, now, log }: ReloadDeps,
  { wanted, rewatch }: { readonly wanted: Config; readonly rewatch: () => void },
): Promise<void> {
  const needed = restartNeeded(running.config, wanted);
  const next = withoutRestart(running.config, wanted);
  // Whatever may be wrong with it is found before anything is changed.
  const faults = faultsTogether(next);
  if (faults.length > 0) throw configError(next.file, faults);
  const settings = gateSettings(next, doors.sockets);
  running.certificates = await readTlsFiles(next.tls);
  running.rooms = createRooms(next, roomDeps, needed);
  running.config = next;
  doors.trust(next.gateway.trustedProxies);
  void useCertificates(running, doors);
  rewatch();
  await running.plane?.settings(settings);
  await feed.refreshProviders();
  records.audit([auditEvent({ kind: 'config.reloaded', at: now(), actor: OPERATOR })]);
  if (needed.length > 0) log.warn({ settings: needed }, 'Some settings change with the next start only');
  log.info({ file: next.file }, 'Reloaded the configuration');
}

function watchCertificates(running: Running, doors: FrontDoors, log: Log): () => void {
  return watchTlsFiles(running.config.tls, {
    changed: (certificates) => {
      running.certificates = certificates;
      void useCertificates(running, doors);
      log.info({ certificates: certificates.length }, 'Certificates changed');
    },
    faulty: (error) => log.error({ err: error }, 'Cannot use the changed certificates: the former stay'),
  });
}

/** Resolves once every worker does. */
export async function useCertificates(
  running: Running,
  doors: Pick<FrontDoors, 'useCertificates'>,
): Promise<void> {
  const materials = materialsOf(running);
  doors.useCertificates(materials);
  running.metrics?.useCertificates(materials);
  await running.plane?.certificates(materials);
}
