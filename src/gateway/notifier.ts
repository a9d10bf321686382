// What the gate tells the main thread without being asked, in batches: which sessions and certificates were
// used, and whose address or certificate was refused. Both are bounded, whatever visitors do.

import { LRUCache } from 'lru-cache';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { CertificateUse } from '../domain/certificate-use.ts';
import type { SessionId } from '../domain/id.ts';
import { atMost } from './at-most.ts';
import type { FromWorker } from './messages.ts';
import { createRefusals } from './refusals.ts';

export type Notifier = {
  /** Kept once a minute for each session. */
  readonly seen: (id: SessionId, at: number) => void;
  /** As `seen`, for each certificate. */
  readonly certificateSeen: (use: CertificateUse) => void;
  /** Kept within budgets, see `refusals.ts`. */
  readonly refused: (event: AuditEvent) => void;
  /** Tells all there is. */
  readonly flush: () => void;
};

export function createNotifier(post: (message: FromWorker) => void): Notifier {
  const seen = new Map<SessionId, number>();
  const uses = new Map<string, CertificateUse>();
  const refusals = createRefusals();
  const seenAt = new LRUCache<string, number>(atMost(MAX_SEEN_KEPT));
  let timer: NodeJS.Timeout | null = null;
  const tell = (all: boolean) => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (seen.size > 0) post({ type: 'seen', sessions: Array.from(seen, ([id, at]) => ({ id, at })) });
    if (uses.size > 0) post({ type: 'certificates-seen', uses: [...uses.values()] });
    uses.clear();
    const events = refusals.take(all);
    if (events.length > 0) post({ type: 'audit', events });
    seen.clear();
    if (refusals.owes()) soon();
  };
  const flush = () => tell(true);
  const soon = () => {
    timer ??= setTimeout(() => tell(false), BATCH_MS).unref();
  };
  return {
    flush,
    seen: (id, at) => {
      const now = performance.now();
      if (now - (seenAt.get(id) ?? -Infinity) < SEEN_AGAIN_MS) return;
      seenAt.set(id, now);
      seen.set(id, at);
      if (seen.size >= MAX_SEEN) tell(false);
      else soon();
    },
    certificateSeen: (use) => {
      const now = performance.now();
      if (now - (seenAt.get(use.fingerprint) ?? -Infinity) < SEEN_AGAIN_MS) return;
      seenAt.set(use.fingerprint, now);
      uses.set(use.fingerprint, use);
      if (uses.size >= MAX_SEEN) tell(false);
      else soon();
    },
    refused: (event) => {
      if (refusals.note(event)) soon();
    },
  };
}

const BATCH_MS = 1_000;
const MAX_SEEN = 5_000;
/**
 * Nobody needs to know to the second when a session was used last, and each telling is a write to the store.
 */
const SEEN_AGAIN_MS = 60_000;
/** About 5 MB; one that falls out is told again. */
const MAX_SEEN_KEPT = 50_000;
