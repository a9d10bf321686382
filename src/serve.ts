// The fuse box: makes every room from the configuration and wires it to the others, with `serve/`, which has
// a file for each strand of wires. Nothing else does.
//
//   store ──► route feed ──► data plane (workers) ──► question: session, recheck ──► login, store
//     ▲                                          └──► audit, seen ──► store
//     └── control API, OAuth frontend (front doors; the gateway passes their hosts inside)

import type { Config } from './config/config.ts';
import { readTlsFiles } from './config/tls-files.ts';
import { startGatewayBeat } from './control/feed/gateway-beat.ts';
import { createProviderBook, type ProviderBook } from './control/feed/provider-book.ts';
import { createLiveRequests } from './control/shares/live-requests/live-requests.ts';
import { countOfFlat } from './domain/flat-shares.ts';
import type { ShareId } from './domain/id.ts';
import type { Log } from './domain/log.ts';
import { steadyNow } from './gateway/steady-clock.ts';
import { startWorkerThread, type WorkerThread } from './gateway/worker-thread.ts';
import { createAskLimit } from './login/ask-limit.ts';
import { createCallbackLimit } from './login/callback-limit.ts';
import { createFailureEvents } from './login/failure-events.ts';
import { createProviderPlaces } from './login/provider-places.ts';
import { startRevokingOwed } from './login/revoke-owed.ts';
import { startEndingUnconfirmed } from './serve/confirmation.ts';
import { startDataPlane } from './serve/data-plane.ts';
import { createFeed } from './serve/feed.ts';
import { ownListeners } from './serve/gate-settings.ts';
import { openMetrics } from './serve/metrics.ts';
import { openDoors } from './serve/open-doors.ts';
import { createOwed, type Owed } from './serve/owed.ts';
import { ownGateway, ownHealth } from './serve/own-gateway.ts';
import { openRecords, type Records } from './serve/records.ts';
import { openPublicCertificates, servedMaterials } from './serve/public-certificates.ts';
import { createReloader, type Reloader } from './serve/reload.ts';
import { createRooms, type RoomDeps } from './serve/rooms.ts';
import type { Running } from './serve/running.ts';
import { createSessionFill } from './serve/session-fill.ts';
import { createShareMetrics } from './serve/share-metrics.ts';
import { startStoreWatch } from './serve/store-watch.ts';
import { openOtlp } from './serve/tracing/otlp.ts';
import { createSpanQueue } from './serve/tracing/span-queue.ts';
import { startTargetLook } from './serve/target-look.ts';
import { type Undo, unwind } from './serve/undo.ts';
import { createAccountDiallers, type WebhookRules } from './webhooks/account-diallers.ts';
import type { ConfigChoice } from './wire/settings.ts';
import { startDeliverer } from './webhooks/deliverer.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly log: Log;
  /** Appends whole lines of JSON from the data plane to the log. */
  readonly appendLog: (lines: string) => void;
  readonly now?: () => number;
  /** Who said which file is the configuration; by default, nobody did. */
  readonly configChosenBy?: ConfigChoice;
  /**
   * The thread of the first worker, when it was started ahead. It ends with the service, and when that cannot
   * start.
   */
  readonly firstThread?: WorkerThread;
};

export type Service = {
  readonly reload: Reloader['reload'];
  /** Lets what runs finish for at most `graceMs`, then closes everything. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/**
 * Starts everything. Resolves once the gateway listens; throws a `ServiceError` and leaves nothing open when
 * it cannot.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const undo: Undo[] = [];
  try {
    const firstThread = options.firstThread ?? startWorkerThread();
    undo.push(() => firstThread.worker.terminate());
    return await wire(
      { configChosenBy: 'default', ...options, now: options.now ?? Date.now, firstThread },
      undo,
    );
  } catch (error) {
    await unwind(undo);
    throw error;
  }
}

async function wire(options: Required<ServiceOptions>, undo: Undo[]): Promise<Service> {
  const { config, log, now, appendLog, firstThread } = options;
  const certificates = await readTlsFiles(config.tls);
  const records = await openRecords(config, {
    log,
    now,
    retention: () => running.config.store,
    providerNames: () => running.config.oauth.providers.map(({ name }) => name),
  });
  undo.push(() => records.close());
  const { store } = records;
  const book = createProviderBook(now);
  const owed = createOwed(() => running, log);
  const roomDeps: RoomDeps = {
    ...loginDeps({ records, book, owed, now, log }),
    configChosenBy: options.configChosenBy,
    findShare: (id) => feed.find(id) ?? undefined,
    tokensOwed: () => void revoker.revokeDue(),
  };
  const { tokensOwed } = roomDeps;
  const running: Running = {
    config,
    certificates,
    acquired: config.acme === null ? [] : await servedMaterials(store.acme, now(), log),
    publicCertificates: null,
    rooms: createRooms(config, roomDeps, []),
    plane: null,
    metrics: null,
    tellControl: null,
    storeGoodAt: steadyNow(),
  };
  const { sessions } = store;
  const revoker = startRevokingOwed({ sessions, providerOf: book.findFormer, now, steadyNow, log });
  undo.push(() => revoker.stop());
  undo.push(() => Promise.all([owed.sessions.settle(), owed.console.settle()]));
  undo.push(startEndingUnconfirmed({ sessions, tokensOwed, audited: records.metrics.countEvents, now, log }));
  const webhookDialler = createAccountDiallers(() => webhookRules(running.config));
  const fill = createSessionFill({
    sessions,
    owed: owed.sessions.all,
    teller: () => running.plane?.fillSessions() ?? (async () => {}),
  });
  undo.push(fill.stop);
  const feed = createFeed(running, { store, book, owed, fill, now, log });
  const tellWorkers = async (shares: readonly ShareId[]) => running.plane?.watch(shares);
  const liveRequests = createLiveRequests({ bulletin: store.bulletin, tellWorkers, log });
  undo.push(() => liveRequests.stop());
  const spans =
    config.tracing === null ? null : createSpanQueue({ send: await openOtlp(config.tracing), log });
  undo.push(async () => spans?.close());
  const doorDeps = { records, feed, tokensOwed, webhookDialler, liveRequests, owed, spans, now, log };
  const doors = await openDoors(running, doorDeps);
  undo.push(() => doors.close());
  undo.push(await openPublicCertificates(running, { records, feed, doors, now, log }));
  const shown = config.metrics?.shares ?? { kind: 'none' };
  const nameOf = (id: ShareId) => feed.find(id)?.name ?? null;
  const shareMetrics = createShareMetrics({ shown, nameOf, now: steadyNow });
  undo.push(await openMetrics(running, { records, shareMetrics, spans }));
  // Nothing is awaited between the first fill and the data plane's start, so no change can fall between them.
  const { shares, trust, tokens } = await feed.start();
  running.tellControl?.(trust);
  undo.push(() => feed.stop());
  const plane = startDataPlane(
    running,
    { records, shareMetrics, spans, book, feed, owed, fill, liveRequests, appendLog, now, log },
    { shares, trust, tokens, sockets: doors.sockets, firstThread },
  );
  running.plane = plane;
  undo.push(() => plane.close());
  await plane.ready;
  void fill.begin();
  await running.publicCertificates?.start();
  undo.push(startTargetLook({ shares: store.shares, rules: () => lookRules(running.config), log }));
  undo.push(await startStoreWatch({ store, log, now, onSeen: records.metrics.seeStore }));
  const health = () => ownHealth(running, records);
  undo.push(await startGatewayBeat({ gateways: store.gateways, health, log }, ownGateway(config, now())));
  const deliverer = startDeliverer({ deliveries: store.deliveries, dialler: webhookDialler, now, log });
  undo.push(() => deliverer.stop());
  const reloader = createReloader(running, { roomDeps, records, feed, doors, now, log });
  undo.push(() => reloader.stop());
  log.info({ url: publicUrlText(config), shares: countOfFlat(shares.flat) }, 'Serving');
  return {
    reload: reloader.reload,
    async close(graceMs = DRAIN_MS) {
      // Before the gate waits for what runs: these would run for ever.
      liveRequests.stop();
      await plane.drain(graceMs);
      await unwind(undo);
    },
  };
}

type LoginParts = {
  readonly records: Records;
  readonly book: ProviderBook;
  readonly owed: Owed;
  readonly now: () => number;
  readonly log: Log;
};

/** What outlives a reload of the configuration, with all that was counted. */
function loginDeps({
  records,
  book,
  owed,
  now,
  log,
}: LoginParts): Omit<RoomDeps, 'findShare' | 'tokensOwed' | 'configChosenBy'> {
  const audit: RoomDeps['audit'] = (event) => records.audit([event]);
  return {
    store: records.store,
    book,
    audit,
    audited: (event) => records.metrics.countEvents([event]),
    owedEnds: owed.sessions,
    limiter: createCallbackLimit(),
    askLimit: createAskLimit(),
    places: createProviderPlaces(),
    auditFailure: createFailureEvents(audit, steadyNow),
    now,
    log,
  };
}

function webhookRules(config: Config): WebhookRules {
  return { outboundAllow: config.outboundAllow, ownListeners: ownListeners(config) };
}

function lookRules(config: Config) {
  return { directTargets: config.gateway.directTargets, ownListeners: ownListeners(config) };
}

function publicUrlText({ gateway: { publicUrl } }: Config): string {
  return `${publicUrl.scheme}://*.${publicUrl.domain}:${publicUrl.port}`;
}

/** Running requests and streams get this long when the service is asked to stop. */
const DRAIN_MS = 10_000;
