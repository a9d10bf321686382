// What the gate tells the main thread without being asked, in batches: which sessions and certificates were used, and
// whose address or certificate was refused. Both are bounded, whatever visitors do.

import { LRUCache } from 'lru-cache';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { CertificateUse } from '../domain/certificate-use.ts';
import type { SessionId } from '../domain/id.ts';
import { atMost } from './at-most.ts';
import type { FromWorker } from './messages.ts';

export type Tidings = {
  /** Kept once a minute for each session. */
  readonly seen: (id: SessionId, at: number) => void;
  /** As `seen`, for each certificate. */
  readonly certificateSeen: (use: CertificateUse) => void;
  /** Kept once in a while for each session: a page that is refused makes dozens of requests. */
  readonly refused: (event: AuditEvent) => void;
  readonly flush: () => void;
};

export function createTidings(post: (message: FromWorker) => void): Tidings {
  const seen = new Map<SessionId, number>();
  const uses = new Map<string, CertificateUse>();
  const events: AuditEvent[] = [];
  const seenAt = new LRUCache<string, number>(atMost(MAX_SEEN_KEPT));
  const quietUntil = new LRUCache<string, number>(atMost(MAX_QUIET));
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (seen.size > 0) post({ type: 'seen', sessions: Array.from(seen, ([id, at]) => ({ id, at })) });
    if (uses.size > 0) post({ type: 'certificates-seen', uses: [...uses.values()] });
    uses.clear();
    if (events.length > 0) post({ type: 'audit', events: events.splice(0) });
    seen.clear();
  };
  const soon = () => {
    timer ??= setTimeout(flush, BATCH_MS).unref();
  };
  return {
    flush,
    seen: (id, at) => {
      const now = performance.now();
      if (now - (seenAt.get(id) ?? -Infinity) < SEEN_AGAIN_MS) return;
      seenAt.set(id, now);
      seen.set(id, at);
      if (seen.size >= MAX_SEEN) flush();
      else soon();
    },
    certificateSeen: (use) => {
      const now = performance.now();
      if (now - (seenAt.get(use.fingerprint) ?? -Infinity) < SEEN_AGAIN_MS) return;
      seenAt.set(use.fingerprint, now);
      uses.set(use.fingerprint, use);
      if (uses.size >= MAX_SEEN) flush();
      else soon();
    },
    refused: (event) => {
      const key = event.sessionId ?? `${event.shareId} ${event.ip}`;
      const now = performance.now();
      if ((quietUntil.get(key) ?? 0) > now || events.length >= MAX_EVENTS) return;
      quietUntil.set(key, now + QUIET_MS);
      events.push(event);
      soon();
    },
  };
}

const BATCH_MS = 1_000;
const MAX_SEEN = 5_000;
/** Nobody needs to know to the second when a session was used last, and each telling is a write to the store. */
const SEEN_AGAIN_MS = 60_000;
/** About 5 MB; one that falls out is told again. */
const MAX_SEEN_KEPT = 50_000;
const MAX_EVENTS = 100;
const MAX_QUIET = 10_000;
/** One event each five minutes says as much as a thousand. */
const QUIET_MS = 300_000;
