// One gate with everything it needs, behind a message port: a worker thread's, or any pair of ends. It listens, answers
// what it is told, and asks and tells the main thread by `messages.ts`.

import { randomToken } from '../domain/secret.ts';
import type { ServiceError } from '../domain/service-error.ts';
import { createAccessLog, faultLine } from './access-log.ts';
import { FORWARD_LIMITS, type ForwardLimits } from './forward.ts';
import { createGate } from './gate.ts';
import { createGateParts } from './gate-parts.ts';
import { createHostReader } from './host-reader.ts';
import { listen, type Listener } from './listen.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { createMetrics } from './metrics.ts';
import { createOpenStreams } from './open-streams.ts';
import { createOutcomes } from './outcome.ts';
import { createQuestions } from './questions.ts';
import { createRouteTable } from './route-table.ts';
import { createSessionStates } from './session-states.ts';
import { createTidings } from './tidings.ts';
import { createUpstream } from './upstream/upstream.ts';
import { createRequestIds, type Visit } from './visit.ts';

/** The worker's end of the conversation: `parentPort`, or one end of a `MessageChannel`. */
export type GatePort = {
  readonly postMessage: (message: FromWorker) => void;
  readonly on: (event: 'message', listener: (message: ToWorker) => void) => unknown;
};

export type RunningGate = { readonly port: number; readonly close: () => Promise<void> };

/** Listens, then says `ready`. Rejects, after `listen-failed`, when it cannot listen. */
export async function startGate(
  port: GatePort,
  start: WorkerStart,
  limits: ForwardLimits = FORWARD_LIMITS,
): Promise<RunningGate> {
  const post = (message: FromWorker) => port.postMessage(message);
  let generation = 0;
  let parts = createGateParts(start.settings, generation);
  let storeGoodAt = start.storeGoodAt;
  let draining = false;
  const storeAway = (now: number) => now - storeGoodAt > parts.settings.outageGraceMs;

  const routes = createRouteTable(start.shares);
  const questions = createQuestions(post);
  const states = createSessionStates((question) => {
    metrics.asked();
    return questions.ask(question);
  });
  const open = createOpenStreams({ routes, states, storeAway });
  const upstream = createUpstream();
  const tidings = createTidings(post);
  const log = createAccessLog((lines) => post({ type: 'log', lines }));
  const metrics = createMetrics({
    openRequests: () => open.count().all,
    openWebSockets: () => open.count().webSockets,
    shares: routes.size,
    upstream: upstream.counts,
  });

  const finished = (visit: Visit, complete: boolean) => {
    if (visit.closed) return;
    visit.closed = true;
    const { status, bytesSent: sent, bytesReceived: received } = visit;
    metrics.answered(status, (performance.now() - visit.startedAt) / 1000, { sent, received });
    if (parts.settings.accessLog) log.write(visit, complete);
  };
  const report = (visit: Visit, error: ServiceError) => {
    if (error.fault.status >= 500) log.append(faultLine(visit, error, Date.now()));
  };
  const outcomes = createOutcomes({
    parts: () => parts,
    upstream,
    hooks: {
      fail: (visit, error) => outcomes.fail(visit, error),
      opened: open.add,
      closed: (stream, visit, complete) => {
        open.remove(stream);
        finished(visit, complete);
      },
      limits,
    },
    seen: tidings.seen,
    audit: tidings.refused,
    report,
    draining: () => draining,
  });
  const gate = createGate({
    parts: () => parts,
    hostOf: createHostReader(),
    routes,
    states,
    storeAway,
    nextRequestId: createRequestIds(randomToken().slice(0, 8)),
    outcomes,
    finished,
    decided: metrics.decided,
  });

  const close = async () => {
    open.stop();
    open.cutAll('closing');
    upstream.close();
    await listener.close();
    tidings.flush();
    log.flush();
  };
  const drain = async (deadlineMs: number) => {
    draining = true;
    listener.drain();
    const deadline = Date.now() + deadlineMs;
    while (open.count().all > 0 && Date.now() < deadline) await pause(DRAIN_LOOK_MS);
    await close();
    post({ type: 'drained' });
  };

  const told = (message: ToWorker): void => {
    switch (message.type) {
      case 'shares':
        routes.change(message.upsert, message.remove);
        open.changed();
        break;
      case 'sessions':
        states.tell(message.states);
        open.changed();
        break;
      case 'forget-sessions':
        states.forget();
        open.changed();
        break;
      case 'store-good':
        storeGoodAt = message.at;
        break;
      case 'certificates':
        listener.replaceCertificates(message.certificates);
        break;
      case 'settings':
        parts = createGateParts(message.settings, ++generation);
        open.changed();
        break;
      case 'answer':
        questions.answer(message.id, message.answer);
        break;
      case 'metrics':
        answerMetrics(message.id);
        break;
      case 'drain':
        drain(message.deadlineMs).catch(fault);
        break;
    }
    if (message.ack !== undefined) post({ type: 'ack', id: message.ack });
  };
  const answerMetrics = (id: number) => {
    metrics
      .collect()
      .then((collected) => post({ type: 'metrics', id, metrics: collected }))
      .catch(fault);
  };
  const fault = (error: unknown) => {
    post({ type: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  };

  const listener = await listenOrSay(start, gate, post);
  port.on('message', (message) => {
    try {
      told(message);
    } catch (error) {
      fault(error);
    }
  });
  post({ type: 'ready', port: listener.port });
  return { port: listener.port, close };
}

async function listenOrSay(
  start: WorkerStart,
  gate: Parameters<typeof listen>[1],
  post: (message: FromWorker) => void,
): Promise<Listener> {
  try {
    return await listen(start, gate);
  } catch (error) {
    const { code = 'unknown', message = '' } = error as NodeJS.ErrnoException;
    post({ type: 'listen-failed', code, message });
    throw error;
  }
}

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}

/** How often a draining gate looks whether it is done. */
const DRAIN_LOOK_MS = 50;
