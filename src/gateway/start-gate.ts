// One gate behind a message port: a worker thread's, or any pair of ends. It listens, goes by what it is
// told, and asks and tells the main thread by `messages.ts`.

import { assembleGate, type Assembly } from './assembly.ts';
import { FORWARD_LIMITS, type ForwardLimits } from './progress.ts';
import { createGateParts } from './gate-parts.ts';
import { type FailedHandshake, failedHandshakeEvent, failedHandshakeLine } from './failed-handshake.ts';
import { LAST_REQUEST_MS, listen, type Listener, type ListenOptions, type ListenPlace } from './listen.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { isServedByAgents } from './route-table.ts';

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
  const assembly = assembleGate(start, post, limits);
  const { policies, publicCertificates, trust } = assembly;
  const shared = {
    publicCertificates,
    trust,
    isProxy: (address: string) => assembly.now.parts.isTrusted(address),
    handshakeFailed: (failed: FailedHandshake) => writeDown(assembly, failed),
  };
  const listener = await listenOrSay(
    gatewayPlace(start),
    { ...shared, policies, onExchange: assembly.gate },
    post,
  );
  const listeners = [listener];
  const own = tunnelPlace(start);
  if (own !== null)
    try {
      listeners.push(
        await listenOrSay(
          own,
          { ...shared, policies: assembly.agentPolicies, onExchange: assembly.tunnelGate },
          post,
        ),
      );
    } catch (error) {
      await listener.close();
      throw error;
    }
  const running: Running = { assembly, listeners, post };
  port.on('message', (message) => {
    const fault = faultOf(() => applyMessage(running, message));
    if (message.ack !== undefined) post({ type: 'ack', id: message.ack, fault });
    else if (fault !== null) post({ type: 'fault', message: fault });
  });
  post({ type: 'ready', port: listener.port });
  return { port: listener.port, close: () => close(running) };
}

function writeDown({ routes, log, notifier }: Assembly, failed: FailedHandshake): void {
  const now = Date.now();
  log.append(failedHandshakeLine(failed, now));
  const share = failed.serverName === null ? undefined : routes.findByHost(failed.serverName);
  if (failed.isForeign && share !== undefined) notifier.refused(failedHandshakeEvent(failed, share, now));
}

type Running = {
  readonly assembly: Assembly;
  readonly listeners: readonly Listener[];
  readonly post: (message: FromWorker) => void;
};

function applyMessage(running: Running, message: ToWorker): void {
  const { now, routes, states, open, questions, tunnelDoor, trust, tokens } = running.assembly;
  switch (message.type) {
    case 'shares':
      routes.change(message.upsert, message.remove);
      endTunnelsOfShares(running, message);
      open.changed();
      break;
    case 'sessions':
      states.tell(message.states);
      open.changed();
      break;
    case 'fill-sessions':
      states.learn(message.states);
      break;
    case 'trust':
      trust.tell(message.news);
      for (const each of running.listeners) each.trustChanged();
      tunnelDoor.trustChanged();
      open.changed();
      break;
    case 'tokens':
      tokens.tell(message.news);
      open.changed();
      break;
    case 'keys-gone': {
      const gone = new Set(message.keys);
      tunnelDoor.end(({ keyId }) => gone.has(keyId));
      break;
    }
    case 'watch':
      running.assembly.watched.watch(message.shares);
      break;
    case 'forget-sessions':
      states.forget();
      tunnelDoor.recheck();
      open.changed();
      break;
    case 'certificates':
      for (const each of running.listeners) each.replaceCertificates(message.certificates);
      break;
    case 'settings':
      now.parts = createGateParts(message.settings, now.parts.generation + 1);
      open.changed();
      break;
    case 'answer':
      questions.answer(message.id, message.answer);
      break;
    case 'metrics':
      running.post({ type: 'metrics', id: message.id, metrics: running.assembly.metrics.collect() });
      break;
    case 'drain':
      void drain(running, message.deadlineMs);
      break;
  }
}

/** A share that is gone, disabled or reached by the gateway itself is no agent's. */
function endTunnelsOfShares(
  { assembly }: Running,
  { upsert, remove }: Extract<ToWorker, { type: 'shares' }>,
): void {
  const taken = upsert.filter((share) => !isServedByAgents(share)).map(({ id }) => id);
  const ended = new Set([...remove, ...taken]);
  if (ended.size > 0) assembly.tunnelDoor.end(({ shareId }) => ended.has(shareId));
}

async function drain(running: Running, deadlineMs: number): Promise<void> {
  const { assembly, listeners, post } = running;
  try {
    assembly.now.draining = true;
    // Who connected by now is accepted first: a listener that closes resets them. The first turn ends this
    // one, the second has looked at the sockets.
    await nextTurn();
    await nextTurn();
    const begun = performance.now();
    // Agents bring what requests wait for by new connections.
    while (assembly.edge.waiting() > 0 && performance.now() - begun < Math.min(LENDING_MS, deadlineMs))
      await pause(DRAIN_LOOK_MS);
    for (const listener of listeners) listener.drain();
    const closed = performance.now();
    while (performance.now() - begun < deadlineMs) {
      if (assembly.open.count().all === 0 && (await areQuiet(listeners, performance.now() - closed))) break;
      await pause(DRAIN_LOOK_MS);
    }
    await close(running);
  } catch (error) {
    sayFault(post, error);
  }
  post({ type: 'drained' });
}

/** Whether nobody who is connected is still about to ask; some never do, and are not waited for. */
async function areQuiet(listeners: readonly Listener[], sinceMs: number): Promise<boolean> {
  if (sinceMs >= LAST_REQUEST_MS) return true;
  const counts = await Promise.all(listeners.map((listener) => listener.connections()));
  return counts.every((count) => count === 0);
}

async function close({ assembly, listeners }: Running): Promise<void> {
  const { open, upstream, edge, tunnelDoor, notifier, watched, activity, tracer, log } = assembly;
  open.stop();
  open.cutAll('closing');
  upstream.close();
  tunnelDoor.close();
  edge.close();
  await Promise.all(listeners.map((listener) => listener.close()));
  notifier.flush();
  watched.flush();
  activity.flush();
  tracer.flush();
  log.flush();
}

function sayFault(post: Running['post'], error: unknown): void {
  post({ type: 'fault', message: faultText(error) });
}

/** What `step` throws, as text; null when it does not. */
function faultOf(step: () => void): string | null {
  try {
    step();
    return null;
  } catch (error) {
    return faultText(error);
  }
}

function faultText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

type NamedPlace = ListenPlace & { readonly setting: string };

function gatewayPlace({ settings, certificates, reusePort }: WorkerStart): NamedPlace {
  const { bind, tls } = settings;
  return { bind, tls, certificates, reusePort, setting: 'gateway.bind_address' };
}

/** Null when agents are taken at the gateway's own address alone. */
function tunnelPlace({ settings, certificates, reusePort }: WorkerStart): NamedPlace | null {
  const { listener } = settings.tunnel;
  const more = { headerDeadlineMs: AGENT_DEADLINE_MS, setting: 'tunnel.bind_address' };
  return listener && { ...listener, certificates, reusePort, ...more };
}

async function listenOrSay(
  place: NamedPlace,
  options: ListenOptions,
  post: (message: FromWorker) => void,
): Promise<Listener> {
  try {
    return await listen(place, options);
  } catch (error) {
    const { code = 'unknown', message = '' } = error as NodeJS.ErrnoException;
    const { bind, setting } = place;
    post({ type: 'listen-failed', code, message, bind, setting });
    throw error;
  }
}

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}

function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  return promise;
}

/**
 * DESIGN 3: an agent has this long before its 101. At the gateway's own port it is known for one by its head
 * alone.
 */
const AGENT_DEADLINE_MS = 5_000;
/** How long a draining gate listens on for what agents were asked for: a few handshakes over a slow link. */
const LENDING_MS = 4_000;
/** How often a draining gate looks whether it is done. */
const DRAIN_LOOK_MS = 50;
