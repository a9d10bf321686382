// Keeps one share of an agent's file up until it is told to stop: tries again whatever fails, sooner or later
// by what it was.
//
//   serveShare ──► up ──► stopped
//     ▲    └── failed ──► wait ──┐
//     │      up ──► refused ─────┤
//     └──────────────────────────┘   the share was deleted ──► over

import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import type { ShareObject } from '../../wire/share.ts';
import type { AgentShare } from '../../config/agent-config.ts';
import type { Secret } from '../../domain/secret.ts';
import { asServiceError, type FaultCode, type ServiceError } from '../../domain/service-error.ts';
import { backoffMs } from '../../tunnel/backoff.ts';
import type { AgentCertificate } from '../../tunnel/dial.ts';
import { parseLocalTarget } from '../../tunnel/local-target.ts';
import { type Farewell, serveShare, type UpShare } from '../shares/sharing/serve-share.ts';
import { requestsTo } from '../shares/sharing/shown-request.ts';
import type { View } from '../shares/sharing/view.ts';
import type { WayOut } from '../way-out.ts';

export type KeptShare = {
  /** Resolves when requests come for the first time. */
  readonly up: Promise<void>;
  /** The share was deleted while it was served: that is taken for somebody's input. */
  readonly isOver: () => boolean;
  /**
   * Takes no new requests; resolves once what runs is answered, or was cut after `graceMs`. Again with less:
   * sooner.
   */
  readonly stop: (graceMs: number) => Promise<Stopped | null>;
};

/** What was served until then. */
export type Stopped = { readonly share: ShareObject; readonly farewell: Farewell };

export type KeepOptions = {
  readonly client: Pick<Client, 'shares' | 'gateways'>;
  readonly apiKey: Secret | null;
  readonly clientCertificate: AgentCertificate | null;
  readonly allowPlainHttp: boolean;
  readonly wayTo: WayOut;
  readonly share: AgentShare;
  readonly view: View & { readonly failed: (fault: ServiceError, waitMs: number) => void };
  /** Runs what makes and serves a share, when it is its turn. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
};

export function keepShare(options: KeepOptions): KeptShare {
  const up = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const now: Now = { serving: null, isOver: false };
  const running = run(options, { now, signal: stopping.signal, onUp: up.resolve });
  return {
    up: up.promise,
    isOver: () => now.isOver,
    stop: async (graceMs) => {
      stopping.abort();
      const { serving } = now;
      const farewell = await serving?.stop(graceMs);
      await running;
      return serving === null || farewell === undefined ? null : { share: serving.share, farewell };
    },
  };
}

type Now = { serving: UpShare | null; isOver: boolean };
type Life = { readonly now: Now; readonly signal: AbortSignal; readonly onUp: () => void };

async function run(options: KeepOptions, { now, signal, onUp }: Life): Promise<void> {
  const { view } = options;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const serving = await options.inTurn(() => serve(options, signal));
      if (signal.aborted) return void (await serving.stop(0));
      now.serving = serving;
      onUp();
      const refusal = await untilRefused(serving, signal);
      if (refusal === null) return;
      now.serving = null;
      failures = 0;
      // Before anybody is told: who then has the file read again finds it over.
      now.isOver = refusal.code === 'share_unknown';
      view.refused(serving.share, refusal);
      await serving.stop(0);
      if (now.isOver) return;
      await waitUnlessStopped(SLOW_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      const fault = asServiceError(error, `Cannot serve the share: ${String(error)}`);
      const waitMs = RETRIES_QUICKLY.has(fault.code) ? backoffMs(failures, Math.random()) : SLOW_MS;
      view.failed(fault, waitMs);
      await waitUnlessStopped(waitMs, signal);
    }
  }
}

async function serve(options: KeepOptions, signal: AbortSignal): Promise<UpShare> {
  const { client, apiKey, clientCertificate, allowPlainHttp, wayTo, share, view } = options;
  signal.throwIfAborted();
  const target = parseLocalTarget(share.target, share.insecure);
  const listening = await target.listens();
  return serveShare({
    client,
    apiKey,
    clientCertificate,
    allowPlainHttp,
    wayTo,
    // What the file does not say stays as the share has it.
    input: { name: share.name, settings: share.settings },
    target,
    signal,
    onReady: (made) => view.ready(made, { text: target.text, listening }),
    onRequest: requestsTo(view),
    onLink: view.link,
  });
}

/** Null when it was stopped. */
async function untilRefused(serving: UpShare, signal: AbortSignal): Promise<ServiceError | null> {
  const stopped = Promise.withResolvers<null>();
  const stop = (): void => stopped.resolve(null);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([serving.refused, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function waitUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

/** Somebody has to do something about the others, which takes longer than a moment. */
const RETRIES_QUICKLY: ReadonlySet<FaultCode> = new Set([
  'control_unreachable',
  'gateway_unreachable',
  'store_unavailable',
  'draining',
  'internal',
]);
const SLOW_MS = 60_000;
