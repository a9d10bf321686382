// The fuse box: makes every room from the configuration and wires it to the others. Nothing else does.
//
//   store ──► route feed ──► data plane (workers) ──► question: session, recheck ──► login, store
//     ▲                                          └──► audit, seen ──► store
//     └── control API, OAuth frontend (front doors; the gateway passes their hosts inside)

import { faultsTogether } from './config/check-together.ts';
import { configError } from './config/config-fault.ts';
import type { Config } from './config/config.ts';
import { readTlsFiles, watchTlsFiles, type TlsPair } from './config/tls-files.ts';
import { createControlApi } from './control/api.ts';
import { startGatewayBeat } from './control/feed/gateway-beat.ts';
import { createFailedKeys } from './control/failed-keys.ts';
import { controlHandler } from './control/node-handler.ts';
import { createLiveRequests, type LiveRequests } from './control/shares/live-requests/live-requests.ts';
import { createProviderBook, type ProviderBook } from './control/feed/provider-book.ts';
import { createRouteFeed, type RouteFeed } from './control/feed/route-feed.ts';
import { createTxtLookup } from './control/hosts/txt-lookup.ts';
import { OPERATOR } from './domain/actor.ts';
import { auditEvent } from './domain/audit-event.ts';
import type { AccountId, SessionId } from './domain/id.ts';
import type { Log } from './domain/log.ts';
import { goneSession } from './domain/session.ts';
import type { ConfirmQuestion, WorkerAnswer } from './gateway/messages.ts';
import { NO_TRUST, type TrustNews } from './domain/certificate-trust.ts';
import { createTrust } from './gateway/trust.ts';
import { createDataPlane, type DataPlane } from './gateway/plane.ts';
import { steadyNow } from './gateway/steady-clock.ts';
import { startWorkerThread, type WorkerThread } from './gateway/worker-thread.ts';
import { asTold } from './gateway/store-good.ts';
import type { Listener } from './http/listener.ts';
import { startMetricsListener, type Readiness } from './http/metrics-listener.ts';
import { createCallbackLimit } from './login/callback-limit.ts';
import { createFailureEvents } from './login/failure-events.ts';
import { createProviderPlaces } from './login/provider-places.ts';
import { createLoginListener } from './login/listener.ts';
import { startRevokingOwed } from './login/revoke-owed.ts';
import type { Dialler } from './providers/dialler.ts';
import { confirmSession, startEndingUnconfirmed } from './serve/confirmation.ts';
import { certificatesOf, openFrontDoors, type FrontDoors } from './serve/front-doors.ts';
import { gateSettings, ownListeners } from './serve/gate-settings.ts';
import { instanceId } from './serve/instance.ts';
import { ownGateway } from './serve/own-gateway.ts';
import { createStoreProbe, readinessOf } from './serve/readiness.ts';
import { openRecords, type Records } from './serve/records.ts';
import { serviceStatus } from './serve/service-status.ts';
import { startStoreWatch } from './serve/store-watch.ts';
import { admitAgent } from './serve/tunnel-admission.ts';
import { restartNeeded, withoutRestart } from './serve/restart-needed.ts';
import { createRooms, type RoomDeps, type Rooms } from './serve/rooms.ts';
import { createOwedEnds, type OwedEnds } from './store/sessions/owed-ends.ts';
import type { Store } from './store/store.ts';
import { createAccountDiallers, type WebhookRules } from './webhooks/account-diallers.ts';
import { startDeliverer } from './webhooks/deliverer.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly log: Log;
  /** Appends whole lines of JSON from the data plane to the log. */
  readonly appendLog: (lines: string) => void;
  readonly now?: () => number;
  /** The thread of the first worker, when it was started ahead. It ends with the service, and when that cannot start. */
  readonly firstThread?: WorkerThread;
};

export type Service = {
  /** Puts another configuration to use. What needs a restart is named in the log and stays as it was. */
  readonly reload: (config: Config) => Promise<void>;
  /** Lets what runs finish for at most `graceMs`, then closes everything. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** Starts everything. Resolves once the gateway listens; throws a `ServiceError` and leaves nothing open when it cannot. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const undo: Undo[] = [];
  try {
    const firstThread = options.firstThread ?? startWorkerThread();
    undo.push(() => firstThread.worker.terminate());
    return await wire({ ...options, now: options.now ?? Date.now, firstThread }, undo);
  } catch (error) {
    await unwind(undo);
    throw error;
  }
}

/** How to stop each thing that was started; run last to first. */
type Undo = () => unknown;

async function unwind(undo: Undo[]): Promise<void> {
  for (const step of undo.splice(0).toReversed()) await step();
}

/** What changes while the service runs. */
type Running = {
  config: Config;
  certificates: readonly TlsPair[];
  rooms: Rooms;
  /** Null until it is started: the feed has nobody to tell before. */
  plane: DataPlane | null;
  /** Null when there is none. */
  metrics: Listener | null;
  /** Tells the control API's own listener whose client certificates count; null where it asks for none. */
  tellControl: ((news: TrustNews) => void) | null;
  /** When the last good poll of the store began, on the clock of `steadyNow()`. */
  storeGoodAt: number;
};

async function wire(options: Required<ServiceOptions>, undo: Undo[]): Promise<Service> {
  const { config, log, now } = options;
  const certificates = await readTlsFiles(config.tls);
  const retention = () => running.config.store;
  const records = await openRecords(config, { log, now, retention });
  undo.push(() => records.close());
  const book = createProviderBook(now);
  const owedEnds = createOwedEnds({
    refuse: (ids) => void running.plane?.sessions(ids.map(goneSession)),
    log,
  });
  // No gateway knows of these.
  const owedConsoleEnds = createOwedEnds<string>({ refuse: () => undefined, log });
  const roomDeps: RoomDeps = {
    store: records.store,
    book,
    findShare: (id) => feed.find(id) ?? undefined,
    audit: (event) => records.audit([event]),
    audited: (event) => records.metrics.countEvents([event]),
    owedEnds,
    tokensOwed: () => void revoker.revokeDue(),
    limiter: createCallbackLimit(),
    places: createProviderPlaces(),
    auditFailure: createFailureEvents((event) => records.audit([event]), steadyNow),
    now,
    log,
  };
  const running: Running = {
    config,
    certificates,
    rooms: createRooms(config, roomDeps),
    plane: null,
    metrics: null,
    tellControl: null,
    storeGoodAt: steadyNow(),
  };
  const revoker = startRevokingOwed({
    sessions: records.store.sessions,
    providerOf: book.findFormer,
    now,
    steadyNow,
    log,
  });
  undo.push(() => revoker.stop());
  undo.push(() => Promise.all([owedEnds.settle(), owedConsoleEnds.settle()]));
  undo.push(
    startEndingUnconfirmed({
      sessions: records.store.sessions,
      tokensOwed: roomDeps.tokensOwed,
      audited: records.metrics.countEvents,
      now,
      log,
    }),
  );
  const webhookDialler = createAccountDiallers(() => webhookRules(running.config));
  const feed = createFeed(
    running,
    { store: records.store, book, owed: [owedEnds, owedConsoleEnds] },
    options,
  );
  const liveRequests = createLiveRequests({
    bulletin: records.store.bulletin,
    tellWorkers: async (shares) => running.plane?.watch(shares),
    log,
  });
  undo.push(() => liveRequests.stop());
  const doors = await openDoors(running, {
    records,
    feed,
    tokensOwed: roomDeps.tokensOwed,
    webhookDialler,
    liveRequests,
    owedConsoleEnds,
    options,
  });
  undo.push(() => doors.close());
  undo.push(await openMetrics(running, records));
  // Nothing is awaited between the first fill and the data plane's start, so no change can fall between them.
  const { shares, trust } = await feed.start();
  running.tellControl?.(trust);
  undo.push(() => feed.stop());
  const failedAgentKeys = createFailedKeys(now);
  const plane = createDataPlane({
    workers: config.gateway.workers,
    firstThread: options.firstThread,
    start: {
      settings: gateSettings(config, doors.sockets),
      certificates,
      shares,
      trust,
      watched: liveRequests.wanted(),
      storeGoodAt: running.storeGoodAt,
    },
    onSession: (id) => lookUp(records, owedEnds, id),
    onRecheck: async (id) => {
      const answer = await running.rooms.recheck(id);
      // Whoever asks may have joined a check that read the session before: an answer is read after its question.
      return answer.kind === 'session' ? lookUp(records, owedEnds, id) : answer;
    },
    onConfirm: (question) =>
      owedEnds.has(question.sessionId)
        ? lookUp(records, owedEnds, question.sessionId)
        : confirmed(records, feed, { question, at: now() }),
    onProvider: async ({ accountId, generation }) => ({
      kind: 'provider',
      name: book.usableBy(accountId).find((ref) => ref.generation === generation)?.name ?? null,
    }),
    onTunnel: (question) =>
      admitAgent(
        {
          store: records.store,
          failedKeys: failedAgentKeys,
          findProvider: book.find,
          clientCertificates: config.control.clientCertificates,
          now,
          log,
        },
        question,
      ),
    onAudit: records.audit,
    onSeen: (seen) =>
      void records.store.sessions
        .seen(seen)
        .catch((error: unknown) => log.warn({ err: error }, 'Cannot note who was seen')),
    onActivity: records.count,
    onCertificatesSeen: (uses) =>
      void records.store.certificates
        .seen(uses)
        .catch((error: unknown) => log.warn({ err: error }, 'Cannot note which certificates were used')),
    onRequests: liveRequests.told,
    onLog: options.appendLog,
    onFault: (message) => log.error({ message }, 'A worker of the data plane failed'),
  });
  running.plane = plane;
  undo.push(() => plane.close());
  await plane.ready;
  undo.push(await startStoreWatch({ store: records.store, log, now, onSeen: records.metrics.seeStore }));
  undo.push(await startGatewayBeat({ gateways: records.store.gateways, log }, ownGateway(config, now())));
  const deliverer = startDeliverer({
    deliveries: records.store.deliveries,
    dialler: webhookDialler,
    now,
    log,
  });
  undo.push(() => deliverer.stop());
  let unwatch = watchCertificates(running, doors, log);
  undo.push(() => unwatch());
  log.info({ url: publicUrlText(config), shares: shares.length }, 'Serving');
  let reloading: Promise<unknown> = Promise.resolve();

  async function reload(wanted: Config): Promise<void> {
    const needed = restartNeeded(running.config, wanted);
    const next = withoutRestart(running.config, wanted);
    // Whatever may be wrong with it is found before anything is changed.
    const faults = faultsTogether(next);
    if (faults.length > 0) throw configError(next.file, faults);
    const settings = gateSettings(next, doors.sockets);
    running.certificates = await readTlsFiles(next.tls);
    running.rooms = createRooms(next, roomDeps);
    running.config = next;
    doors.trust(next.gateway.trustedProxies);
    useCertificates(running, doors);
    unwatch();
    unwatch = watchCertificates(running, doors, log);
    await plane.settings(settings);
    await feed.refreshProviders();
    records.audit([auditEvent({ kind: 'config.reloaded', at: now(), actor: OPERATOR })]);
    if (needed.length > 0) log.warn({ settings: needed }, 'Some settings change with the next start only');
    log.info({ file: next.file }, 'Reloaded the configuration');
  }

  return {
    reload(wanted) {
      // One at a time, in the order they were asked for: the last file wins.
      const turn = reloading.then(() => reload(wanted));
      reloading = turn.catch(() => undefined);
      return turn;
    },
    async close(graceMs = DRAIN_MS) {
      // Before the gate waits for what runs: these would run for ever.
      liveRequests.stop();
      await plane.drain(graceMs);
      await unwind(undo);
    },
  };
}

function createFeed(running: Running, deps: FeedDeps, { log, now }: Required<ServiceOptions>): RouteFeed {
  const { book, store, owed } = deps;
  return createRouteFeed({
    store,
    providerRef: book.ref,
    onProviders: async (changed) =>
      changed === 'all'
        ? book.useDefinitions(await store.providerDefinitions.all())
        : book.changeDefinitions(changed, await store.providerDefinitions.among(changed)),
    shareBase: running.config.gateway.publicUrl,
    cookieDomain: () => running.config.oauth.cookieDomain,
    now: steadyNow,
    wallNow: now,
    onTrust: (news) => {
      running.tellControl?.(news);
      return running.plane?.trust(news);
    },
    onShares: (upsert, remove) => running.plane?.shares(upsert, remove),
    onKeysGone: (keys) => running.plane?.keysGone(keys),
    onSessions: (states) => running.plane?.sessions(states),
    onGap: () => running.plane?.forgetSessions(),
    onStoreGood: (at) => {
      running.storeGoodAt = asTold(at);
      // First of all: nobody may find what was logged out meanwhile.
      for (const each of owed) void each.settle();
      running.plane?.storeGood(at);
    },
    log,
  });
}

type FeedDeps = {
  readonly store: Store;
  readonly book: ProviderBook;
  /** Settled as soon as the store is back. */
  readonly owed: readonly Pick<OwedEnds, 'settle'>[];
};

type DoorDeps = {
  readonly records: Records;
  readonly feed: RouteFeed;
  readonly tokensOwed: () => void;
  readonly webhookDialler: (accountId: AccountId) => Dialler;
  readonly liveRequests: LiveRequests;
  readonly owedConsoleEnds: OwedEnds<string>;
  readonly options: Required<ServiceOptions>;
};

async function openDoors(
  running: Running,
  { records, feed, tokensOwed, webhookDialler, liveRequests, owedConsoleEnds, options }: DoorDeps,
): Promise<FrontDoors> {
  const startedAt = options.now();
  const controlApi = createControlApi({
    store: records.store.forCalls,
    settings: () => running.rooms.controlSettings,
    caughtUp: feed.caughtUp,
    tokensOwed,
    owedConsoleEnds,
    webhookDialler,
    txtLookup: createTxtLookup(),
    liveRequests,
    status: () =>
      serviceStatus({
        startedAt,
        livingWorkers: running.plane?.living() ?? 0,
        configuredWorkers: running.config.gateway.workers,
      }),
    now: options.now,
    log: options.log,
  });
  const trust = createTrust(NO_TRUST);
  const doors = await openFrontDoors({
    config: running.config,
    trust,
    certificates: running.certificates,
    log: options.log,
    oauth: ({ ip, requestId }) =>
      createLoginListener({ login: running.rooms.login, clientIp: () => ip, requestId: () => requestId }),
    control: ({ ip, requestId, certificate }) =>
      controlHandler(controlApi, () => ({ address: ip, requestId, certificate })),
  });
  if (running.config.control.clientCertificates !== 'none')
    running.tellControl = (news) => {
      // What is revoked is asked of the store at each call.
      if (!news.anew && news.authorities.length + news.gone.length === 0) return;
      trust.tell({ ...news, revoked: [] });
      doors.trustChanged();
    };
  return doors;
}

async function lookUp({ store }: Records, owedEnds: OwedEnds, id: SessionId): Promise<WorkerAnswer> {
  if (owedEnds.has(id)) return { kind: 'session', state: goneSession(id) };
  try {
    return { kind: 'session', state: await store.sessions.state(id) };
  } catch {
    // The feed tells the log of an outage, once.
    return { kind: 'unavailable' };
  }
}

/** What it takes the place of is over at every worker by the answer; another gateway hears of it as of any end. */
async function confirmed(
  { store }: Records,
  feed: RouteFeed,
  { question, at }: { readonly question: ConfirmQuestion; readonly at: number },
): Promise<WorkerAnswer> {
  const answer = await confirmSession(store.sessions, question, at);
  if (answer.kind === 'session') await feed.caughtUp().catch(() => undefined);
  return answer;
}

async function openMetrics(running: Running, records: Records): Promise<Undo> {
  const settings = running.config.metrics;
  if (settings === null) return () => undefined;
  const text = await records.metrics.startText();
  const storeAnswers = createStoreProbe(() => records.store.ping());
  const listener = await startMetricsListener(
    settings.bindAddress,
    certificatesOf(settings, running.certificates),
    {
      metrics: async () => text((await running.plane?.metrics()) ?? []),
      instance: instanceId(running.config),
      readiness: async () => readiness(running, await storeAnswers(), records.store.writeTrouble()),
    },
  );
  running.metrics = listener;
  return () => listener.close(0);
}

function readiness(
  { plane, config, storeGoodAt }: Running,
  storeAnswers: boolean,
  storeTrouble: ReturnType<Store['writeTrouble']>,
): Readiness {
  return readinessOf({
    livingWorkers: plane?.living() ?? 0,
    storeAnswers,
    storeTrouble,
    storeGoodAgoMs: steadyNow() - storeGoodAt,
    outageGraceMs: config.store.outageGraceMs,
  });
}

function watchCertificates(running: Running, doors: FrontDoors, log: Log): () => void {
  return watchTlsFiles(running.config.tls, {
    changed: (certificates) => {
      running.certificates = certificates;
      useCertificates(running, doors);
      log.info({ certificates: certificates.length }, 'Certificates changed');
    },
    faulty: (error) => log.error({ err: error }, 'Cannot use the changed certificates: the former stay'),
  });
}

function useCertificates({ certificates, plane, metrics }: Running, doors: FrontDoors): void {
  void plane?.certificates(certificates);
  doors.useCertificates(certificates);
  metrics?.useCertificates(certificates);
}

function webhookRules(config: Config): WebhookRules {
  return { outboundAllow: config.outboundAllow, ownListeners: ownListeners(config) };
}

function publicUrlText({ gateway: { publicUrl } }: Config): string {
  return `${publicUrl.scheme}://*.${publicUrl.domain}:${publicUrl.port}`;
}

/** Running requests and streams get this long when the service is asked to stop. */
const DRAIN_MS = 10_000;
