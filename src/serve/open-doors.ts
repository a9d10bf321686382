// What answers at the front doors: the control API, and logins at the OAuth frontend.

import { createControlApi } from '../control/api.ts';
import type { RouteFeed } from '../control/feed/route-feed.ts';
import { createTxtLookup } from '../control/hosts/txt-lookup.ts';
import { controlHandler } from '../control/node-handler.ts';
import type { LiveRequests } from '../control/shares/live-requests/live-requests.ts';
import { NO_TRUST } from '../domain/certificate-trust.ts';
import type { AccountId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import { createTrust } from '../gateway/trust.ts';
import { createLoginListener } from '../login/listener.ts';
import type { Dialler } from '../providers/dialler.ts';
import { type FrontDoors, openFrontDoors } from './front-doors.ts';
import type { Owed } from './owed.ts';
import type { Records } from './records.ts';
import { materialsOf, type Running } from './running.ts';
import { createDoorSpans, type TraceDoor } from './tracing/door-spans.ts';
import type { SpanQueue } from './tracing/span-queue.ts';
import { serviceStatus } from './service-status.ts';

export type DoorDeps = {
  readonly records: Records;
  readonly feed: RouteFeed;
  readonly tokensOwed: () => void;
  readonly webhookDialler: (accountId: AccountId) => Dialler;
  readonly liveRequests: LiveRequests;
  readonly owed: Owed;
  /** Null without tracing. */
  readonly spans: SpanQueue | null;
  readonly now: () => number;
  readonly log: Log;
};

export async function openDoors(
  running: Running,
  { records, feed, tokensOwed, webhookDialler, liveRequests, owed, spans, now, log }: DoorDeps,
): Promise<FrontDoors> {
  const startedAt = now();
  const controlApi = createControlApi({
    store: records.store.forCalls,
    settings: () => running.rooms.controlSettings,
    caughtUp: feed.caughtUp,
    tokensOwed,
    owedConsoleEnds: owed.console,
    webhookDialler,
    txtLookup: createTxtLookup(),
    liveRequests,
    status: () =>
      serviceStatus({
        startedAt,
        livingWorkers: running.plane?.living() ?? 0,
        configuredWorkers: running.config.gateway.workers,
      }),
    now,
    log,
  });
  const { tracing } = running.config;
  const traced: TraceDoor =
    tracing === null || spans === null
      ? (_door, handle) => handle
      : createDoorSpans({ spans, sampleRatio: tracing.sampleRatio });
  const trust = createTrust(NO_TRUST);
  const doors = await openFrontDoors({
    config: running.config,
    trust,
    certificates: materialsOf(running),
    log,
    oauth: traced('oauth', ({ ip, requestId }) =>
      createLoginListener({ login: running.rooms.login, clientIp: () => ip, requestId: () => requestId }),
    ),
    control: traced('control', ({ ip, requestId, certificate }) =>
      controlHandler(controlApi, () => ({ address: ip, requestId, certificate })),
    ),
  });
  if (running.config.control.clientCertificates !== 'none')
    running.tellControl = (news) => {
      // What is revoked is asked of the store at each call.
      if (!news.reset && news.authorities.length + news.gone.length === 0) return;
      trust.tell({ ...news, revoked: [] });
      doors.trustChanged();
    };
  return doors;
}
