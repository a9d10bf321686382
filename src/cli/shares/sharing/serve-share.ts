// Keeps one share up from this machine: makes it or takes it up again, serves it by an agent, tells when it
// is away and back, and takes an ephemeral one down at the end. It prints nothing.
//
//   makeShare ──► agent ──► ready ──► away ◄──► back ──► stop ──► an ephemeral share is removed
//       └── cannot ──► what was made for it is removed, and the reason thrown

import { unlessAborted } from '../../../domain/in-time.ts';
import type { Client } from '../../../client/client.ts';
import type { ShareObject } from '../../../wire/share.ts';
import type { Secret } from '../../../domain/secret.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { type Agent, type AgentState, startAgent } from '../../../tunnel/agent.ts';
import type { ServedRequest } from '../../../tunnel/told.ts';
import type { AgentCertificate } from '../../../tunnel/dial.ts';
import { placesOf } from '../../../tunnel/gateway-place.ts';
import type { LocalTarget } from '../../../tunnel/local-target.ts';
import type { WayOut } from '../../way-out.ts';
import { makeShare, type ShareInput } from './make-share.ts';

export type ServeShareOptions = {
  readonly client: Pick<Client, 'shares' | 'gateways'>;
  readonly apiKey: Secret | null;
  readonly clientCertificate: AgentCertificate | null;
  /** As `AgentOptions`. */
  readonly allowPlainHttp?: boolean;
  readonly wayTo: WayOut;
  readonly input: ShareInput;
  readonly target: LocalTarget;
  /** The share is up. Nothing else is told before. */
  readonly onReady: (share: ShareObject) => void;
  /** Null where nobody is shown any: gateways then tell of none. */
  readonly onRequest: ((request: ServedRequest, share: ShareObject) => void) | null;
  readonly onLink: (event: LinkEvent) => void;
  /** Ends the attempt while the share is not up yet. */
  readonly signal?: AbortSignal;
};

export type LinkEvent =
  /** The last connection is lost; it is dialled again. */
  | { readonly kind: 'away' }
  /** A try to come back failed, for another reason than the one before. */
  | { readonly kind: 'retrying'; readonly fault: ServiceError }
  /** Whichever worker a visitor comes to. */
  | { readonly kind: 'back'; readonly awayMs: number };

export type UpShare = {
  readonly share: ShareObject;
  /**
   * Resolves when no gateway takes the agent any more: the share or the key is gone. Nothing is served then.
   */
  readonly refused: Promise<ServiceError>;
  /**
   * Takes no new requests, lets those that run end within `graceMs`, then removes an ephemeral share. Again
   * with less: sooner.
   */
  readonly stop: (graceMs: number) => Promise<Farewell>;
};

/**
 * What became of the share: kept, gone, or still there because of a fault (it is swept when no agent serves
 * it).
 */
export type Farewell =
  | { readonly kind: 'kept' | 'removed' }
  | { readonly kind: 'left'; readonly fault: ServiceError };

/**
 * Resolves once requests come. Throws what `makeShare` and the agent's dialling throw, and the signal's
 * reason.
 */
export async function serveShare(options: ServeShareOptions): Promise<UpShare> {
  const { client, apiKey, clientCertificate, allowPlainHttp = false, wayTo, input, target, signal } = options;
  const share = await makeShare(client.shares, input);
  const refused = Promise.withResolvers<ServiceError>();
  const link = watchLink(options.onLink);
  const { onRequest } = options;
  const requests = holdBack((request: ServedRequest) => onRequest?.(request, share));
  const agent = startAgent({
    gateways: async () => placesOf(await client.gateways()),
    share: share.id,
    apiKey,
    clientCertificate,
    allowPlainHttp,
    wayTo,
    target,
    onRequest: onRequest === null ? null : requests.tell,
    onState: link.changed,
    onRefused: refused.resolve,
  });
  const stop = createStop(client, { agent, share });
  try {
    await unlessAborted(agent.ready, signal);
  } catch (error) {
    await stop(0);
    throw error;
  }
  options.onReady(share);
  requests.begin();
  link.begin();
  return { share, refused: refused.promise, stop };
}

type Up = { readonly agent: Agent; readonly share: ShareObject };

/** Called again, it stops the agent sooner and answers the same: the share is removed once. */
function createStop(client: Pick<Client, 'shares'>, { agent, share }: Up): UpShare['stop'] {
  let farewell: Promise<Farewell> | null = null;
  return (graceMs) => {
    const stopped = agent.stop(graceMs);
    farewell ??= stopped.then(() => bidFarewell(client, share));
    return farewell;
  };
}

async function bidFarewell({ shares }: Pick<Client, 'shares'>, share: ShareObject): Promise<Farewell> {
  if (share.tunnel !== 'ephemeral') return { kind: 'kept' };
  try {
    await shares.remove(share.id);
  } catch (error) {
    const fault = error instanceof ServiceError ? error : null;
    if (fault?.code !== 'share_unknown')
      return {
        kind: 'left',
        fault: fault ?? new ServiceError('internal', 'Cannot remove the share', { cause: error }),
      };
  }
  return { kind: 'removed' };
}

/** Whoever waits for a kept share may be served before the share is told to be up: that is told behind it. */
function holdBack<Value>(tell: (value: Value) => void) {
  let held: Value[] | null = [];
  return {
    tell: (value: Value): void => {
      if (held === null) tell(value);
      else if (held.length < MAX_HELD) held.push(value);
    },
    begin: (): void => {
      const first = held ?? [];
      held = null;
      first.forEach(tell);
    },
  };
}

/** Tells changes only, and only after `begin()`. */
function watchLink(onLink: (event: LinkEvent) => void) {
  let begun = false;
  let awaySince: number | null = null;
  let told = '';
  return {
    begin: () => {
      begun = true;
    },
    changed: ({ connected, settled, fault }: AgentState): void => {
      if (!begun) return;
      if (connected > 0 && awaySince !== null) {
        // A visitor who comes to a worker without a connection is still told that the share is away.
        if (!settled) return;
        onLink({ kind: 'back', awayMs: performance.now() - awaySince });
        awaySince = null;
      } else if (connected === 0 && awaySince === null) {
        awaySince = performance.now();
        told = '';
        onLink({ kind: 'away' });
      }
      if (awaySince === null || fault === null || fault.message === told) return;
      told = fault.message;
      onLink({ kind: 'retrying', fault });
    },
  };
}

/** It is a moment; more than fits on a screen is not missed. */
const MAX_HELD = 1_000;
