// An agent: serves one share through connections to every worker of every gateway, and keeps them up until it
// is stopped. It decides nothing about who may come in: that is done when a request reaches it.

import { randomToken, type Secret } from '../domain/secret.ts';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import { serveTunnel } from './agent-session.ts';
import type { PingTimes } from './control.ts';
import type { TunnelInput } from './dial.ts';
import { GatewayLink } from './gateway-link.ts';
import type { GatewayPlace } from './gateway-place.ts';
import { LentBudget } from './lent-budget.ts';
import type { LocalTarget } from './local-target.ts';
import type { ServedRequest } from './told.ts';

export type AgentOptions = {
  /**
   * Where gateways take tunnels; asked again now and then. A rejection, or none, leaves those that are known.
   */
  readonly gateways: () => Promise<readonly GatewayPlace[]>;
  /** Name or id. */
  readonly share: string;
  /** As `TunnelInput`: one of the two at least. */
  readonly apiKey: Secret | null;
  readonly clientCertificate?: TunnelInput['clientCertificate'];
  /** The key may go to gateways on other machines in the clear; not unless said. */
  readonly allowPlainHttp?: boolean;
  /** As `TunnelInput`; straight there unless given. */
  readonly wayTo?: TunnelInput['wayTo'];
  readonly target: LocalTarget;
  /** Null where nobody watches: gateways then tell of none. */
  readonly onRequest: ((request: ServedRequest) => void) | null;
  /** The number of connections changed, or a try failed (`fault`). */
  readonly onState: (state: AgentState) => void;
  /** No gateway takes it any more: the key or the share is gone. It has stopped. */
  readonly onRefused: (error: ServiceError) => void;
  readonly pings?: Partial<PingTimes>;
  readonly refreshMs?: number;
};

export type AgentState = {
  readonly connected: number;
  /** Every worker that is known takes requests now, or could not be reached when it was tried last. */
  readonly settled: boolean;
  readonly fault: ServiceError | null;
};

export type Agent = {
  /**
   * Resolves once requests come. Rejects when no gateway could be reached, or one refused; it is stopped
   * then.
   */
  readonly ready: Promise<void>;
  /** Takes no new requests; resolves once what runs is answered, or was cut after `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
};

export function startAgent(options: AgentOptions): Agent {
  const links = new Map<string, GatewayLink>();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const agentId = randomToken();
  const { clientCertificate = null } = options;
  const { share, apiKey, allowPlainHttp = false, wayTo = () => null, target, onRequest, pings } = options;
  let isReady = false;
  let stopped = false;

  const connected = () => Array.from(links.values()).reduce((sum, link) => sum + link.connected, 0);
  const halt = (error: ServiceError) => {
    stopped = true;
    clearInterval(refresher);
    for (const link of links.values()) link.destroy();
    if (isReady) options.onRefused(error);
    else ready.reject(error);
  };
  const changed = (link: GatewayLink) => {
    if (stopped) return;
    const { fault } = link;
    const all = [...links.values()];
    const settled = all.every((each) => each.settled || each.fault !== null);
    options.onState({ connected: connected(), settled, fault });
    if (!isReady && link.settled && connected() > 0) {
      isReady = true;
      ready.resolve();
    } else if (link.over && fault !== null && connected() === 0) halt(fault);
    else if (!isReady && fault !== null && all.every((each) => each.fault !== null)) halt(fault);
  };
  const use = (places: readonly GatewayPlace[]) => {
    if (stopped) return;
    if (places.length === 0) throw noGateway();
    const wanted = new Map(places.map((place) => [place.url.href, place]));
    for (const [href, link] of links) {
      // The list may be behind, after the store was away: a gateway that keeps its end open lives.
      if (wanted.has(href) || link.connected > 0) continue;
      links.delete(href);
      link.destroy();
    }
    for (const [href, place] of wanted) {
      const link = links.get(href);
      if (link !== undefined) link.expect(place.workers);
      else
        links.set(
          href,
          new GatewayLink({
            place,
            input: { share, apiKey, clientCertificate, allowPlainHttp, agentId, wayTo },
            serve: (socket, raise) =>
              serveTunnel(socket, {
                target,
                budget,
                onRequest,
                raise,
                ...(pings === undefined ? {} : { pings }),
              }),
            onChange: changed,
          }),
        );
    }
  };
  const refresh = async () => {
    try {
      use(await options.gateways());
    } catch (error) {
      if (!isReady && links.size === 0) halt(asServiceError(error, UNLISTED, 'gateway_unreachable'));
    }
  };
  const refresher = setInterval(() => void refresh(), options.refreshMs ?? REFRESH_MS);
  void refresh();
  return {
    ready: ready.promise,
    stop: async (graceMs) => {
      stopped = true;
      clearInterval(refresher);
      const timer = setTimeout(() => {
        for (const link of links.values()) link.destroy();
      }, graceMs);
      await Promise.all(Array.from(links.values(), (link) => link.drain()));
      clearTimeout(timer);
    },
  };
}

/** A limit is for a process, however many shares its agents serve. */
const budget = new LentBudget();

function noGateway(): ServiceError {
  return new ServiceError('gateway_unreachable', 'Cannot serve a share: no gateway is running', {
    hint: 'Is "doorward serve" running? A gateway is listed as soon as it listens.',
  });
}

const UNLISTED = 'Cannot learn where the gateways are';
/** How long a gateway that came may be without this agent. */
const REFRESH_MS = 20_000;
