// All shares of an agent's file, kept up. Another file is put to use share by share: what it does not name
// ends, what is new begins, and what changed is served as before until it is up as it is to be.

import type { Client } from '../../client/client.ts';
import { createNodeClient } from '../../client/node-client.ts';
import type { GatewayObject } from '../../wire/gateway.ts';
import type { AgentConfig, AgentShare } from '../../config/agent-config.ts';
import type { ClientCertificate } from '../../client/send.ts';
import { shortHash } from '../../domain/secret.ts';
import type { WayOut } from '../way-out.ts';
import { type KeepOptions, type KeptShare, keepShare } from './keep-share.ts';
import { createTurns } from './turns.ts';

export type KeptShares = {
  /** From now on these. Nothing is waited for. */
  readonly use: (config: AgentConfig, clientCertificate: ClientCertificate | null) => void;
  /** Again with less: sooner. */
  readonly stop: (graceMs: number) => Promise<void>;
};

export type KeptSharesOptions = {
  readonly viewOf: (name: string) => KeepOptions['view'];
  /** What those that are replaced or left out get to end their requests. */
  readonly graceMs: number;
  readonly wayTo: WayOut;
};

export function createKeptShares({ viewOf, graceMs, wayTo }: KeptSharesOptions): KeptShares {
  /** By name, the one that is to be last. Those before it serve until it does. */
  const runs = new Map<string, Run[]>();
  const inTurn = createTurns(AT_ONCE);
  const end = async (name: string, ending: readonly Run[], ms: number): Promise<void> => {
    const stopped = await Promise.all(ending.map(({ kept }) => kept.stop(ms)));
    const left = (runs.get(name) ?? []).filter((run) => !ending.includes(run));
    if (left.length > 0) return void runs.set(name, left);
    const last = stopped.at(-1);
    if (runs.delete(name) && last) viewOf(name).stopped(last.share, last.farewell);
  };
  const begin = (name: string, run: Run): void => {
    const former = runs.get(name) ?? [];
    runs.set(name, [...former, run]);
    void run.kept.up.then(() => end(name, former, graceMs));
  };
  return {
    use: (config, clientCertificate) => {
      const { url, apiKey, allowPlainHttp } = config;
      const client = createNodeClient({ url, apiKey, clientCertificate, wayTo });
      const gateways = createGatewayList(client);
      const wanted = new Set(config.shares.map(({ name }) => name));
      for (const [name, all] of runs) if (!wanted.has(name)) void end(name, all, graceMs);
      for (const share of config.shares) {
        const is = fingerprint(config, clientCertificate, share);
        const last = runs.get(share.name)?.at(-1);
        if (last?.is === is && !last.kept.isOver()) continue;
        const view = viewOf(share.name);
        const kept = keepShare({
          client: { shares: client.shares, gateways },
          apiKey,
          clientCertificate,
          allowPlainHttp,
          wayTo,
          share,
          view,
          inTurn,
        });
        begin(share.name, { is, kept });
      }
    },
    stop: async (ms) => {
      await Promise.all(Array.from(runs, ([name, all]) => end(name, all, ms)));
    },
  };
}

type Run = {
  /** All that it was made of. */
  readonly is: string;
  readonly kept: KeptShare;
};

function fingerprint(
  { url, apiKey, allowPlainHttp }: AgentConfig,
  clientCertificate: ClientCertificate | null,
  share: AgentShare,
): string {
  const credentials = [
    apiKey === null ? null : shortHash(apiKey.reveal()),
    clientCertificate?.certificate ?? null,
  ];
  return JSON.stringify([url.href, ...credentials, allowPlainHttp, share]);
}

/** Every share asks where the gateways are: one answer is for all that ask within some seconds. */
function createGatewayList(client: Pick<Client, 'gateways'>): Client['gateways'] {
  let asked: { readonly at: number; readonly answer: Promise<readonly GatewayObject[]> } | null = null;
  return () => {
    const at = performance.now();
    if (asked !== null && at - asked.at < SAME_ANSWER_MS) return asked.answer;
    const answer = client.gateways();
    asked = { at, answer };
    answer.catch(() => {
      asked = null;
    });
    return answer;
  };
}

/** Made and dialled at a time: a gateway that comes back is not to be overrun. */
const AT_ONCE = 8;
const SAME_ANSWER_MS = 5_000;
