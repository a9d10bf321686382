// What the test provider remembers, in memory and bounded: grants, codes, tokens, browser sessions. Gone when
// it stops.

import { LRUCache } from 'lru-cache';
import type { Adapter, Payload } from 'oidc-provider';

/** A factory for oidc-provider's `adapter` setting: one room for all kinds, keys told apart by kind. */
export function createMemory(): (kind: string) => Adapter {
  const entries = new LRUCache<string, Payload>({ max: MAX_ENTRIES });
  const grants = new LRUCache<string, Set<string>>({ max: MAX_ENTRIES });
  return (kind) => ({
    async upsert(id, payload, expiresIn) {
      const key = `${kind}:${id}`;
      const options = typeof expiresIn === 'number' ? { ttl: Math.max(1, expiresIn * 1000) } : {};
      entries.set(key, payload, options);
      if (typeof payload.uid === 'string') entries.set(`uid:${kind}:${payload.uid}`, payload, options);
      if (typeof payload.grantId !== 'string') return;
      const members = grants.get(payload.grantId) ?? new Set();
      grants.set(payload.grantId, members.add(key));
    },
    async find(id) {
      return entries.get(`${kind}:${id}`);
    },
    async findByUid(uid) {
      return entries.get(`uid:${kind}:${uid}`);
    },
    async findByUserCode() {
      return undefined;
    },
    async consume(id) {
      const payload = entries.get(`${kind}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      const payload = entries.get(`${kind}:${id}`);
      if (typeof payload?.uid === 'string') entries.delete(`uid:${kind}:${payload.uid}`);
      entries.delete(`${kind}:${id}`);
    },
    async revokeByGrantId(grantId) {
      for (const key of grants.get(grantId) ?? []) entries.delete(key);
      grants.delete(grantId);
    },
  });
}

// Far more than anyone trying things out makes, and a few tens of megabytes at most.
const MAX_ENTRIES = 20_000;
