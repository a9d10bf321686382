// Agents in this process that serve the shares of a test gate, each with a share's former target.

import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import type { Share } from '../../src/domain/share.ts';
import type { TunnelQuestion, WorkerAnswer } from '../../src/gateway/messages.ts';
import type { TlsMaterial } from '../../src/http/tls-contexts.ts';
import { startAgent, type Agent } from '../../src/tunnel/agent.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { TUNNEL_KEY } from './tunnel-key.ts';

export type Agents = {
  /** The share without its target, which an agent serves from now on; a disabled share stays as it is. */
  readonly carry: (share: Share) => Share;
  readonly admit: (question: TunnelQuestion) => WorkerAnswer | null;
  /** The gate listens there now. Resolves once every agent is connected. */
  readonly connect: (gateway: URL) => Promise<void>;
  /** Those of shares that were carried since are connected, too. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** `certificates`: of the gateway, which the agents trust. */
export function agentsOfGate(certificates: readonly TlsMaterial[]): Agents {
  const key = newApiKey();
  const keyHash = hashApiKey(key);
  const targets = new Map<string, { readonly share: Share; readonly target: string }>();
  const agents = new Map<string, Agent>();
  let gateway: URL | null = null;
  trust(certificates.map(({ certificate }) => certificate));
  const start = (url: URL) => {
    for (const [id, { share, target }] of targets) {
      if (agents.has(id)) continue;
      const agent = startAgent({
        gateways: async () => [{ url, workers: 1 }],
        share: share.name,
        apiKey: key,
        target: parseLocalTarget(target),
        onRequest: () => {},
        onState: () => {},
        onRefused: () => {},
      });
      agents.set(id, agent);
    }
  };
  const settled = async () => {
    await Promise.all(Array.from(agents.values(), ({ ready }) => ready));
  };
  return {
    carry: (share) => {
      if (share.target === null || !share.enabled) return share;
      targets.set(share.id, { share, target: share.target });
      if (gateway !== null) start(gateway);
      return { ...share, target: null };
    },
    admit: (question) => {
      if (question.keyHash !== keyHash) return null;
      for (const { share } of targets.values())
        if (share.id === question.share || share.name === question.share)
          return { kind: 'tunnel', shareId: share.id, key: TUNNEL_KEY };
      return null;
    },
    connect: async (url) => {
      gateway = url;
      start(url);
      await settled();
    },
    settled,
    stop: async () => {
      await Promise.all(Array.from(agents.values(), (agent) => agent.stop(0)));
    },
  };
}

/** Each once: with each change Node reads all of its certificates again. */
function trust(certificates: readonly string[]): void {
  const trusted = getCACertificates('default');
  const added = certificates.filter((certificate) => !trusted.includes(certificate));
  if (added.length > 0) setDefaultCACertificates([...trusted, ...added]);
}
