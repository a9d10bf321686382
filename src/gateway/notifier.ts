// What the gate tells the main thread without being asked, in batches: which sessions, certificates and
// tokens were used, and whose address, certificate or token was refused. Both are bounded, whatever visitors
// do.

import type { AuditEvent } from '../domain/audit-event.ts';
import type { CertificateUse } from '../domain/certificate-use.ts';
import type { ServiceTokenId, SessionId } from '../domain/id.ts';
import type { ServiceTokenUse } from '../domain/service-token.ts';
import type { FromWorker } from './messages.ts';
import { createLately } from './lately.ts';
import { createRefusals } from './refusals.ts';

export type Notifier = {
  /** Kept once a minute for each session. */
  readonly seen: (id: SessionId, at: number) => void;
  /** As `seen`, for each certificate. */
  readonly certificateSeen: (use: CertificateUse) => void;
  /** As `seen`, for each service token. */
  readonly tokenSeen: (use: ServiceTokenUse) => void;
  /** Kept within budgets, see `refusals.ts`. */
  readonly refused: (event: AuditEvent) => void;
  /** Tells all there is. */
  readonly flush: () => void;
};

export function createNotifier(post: (message: FromWorker) => void): Notifier {
  const sessions = new Map<SessionId, number>();
  const certificates = new Map<string, CertificateUse>();
  const tokens = new Map<ServiceTokenId, ServiceTokenUse>();
  const refusals = createRefusals();
  const seenLately = createLately({ places: SEEN_PLACES, ms: SEEN_AGAIN_MS });
  let timer: NodeJS.Timeout | null = null;
  const tell = (all: boolean) => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (sessions.size > 0) post({ type: 'seen', sessions: Array.from(sessions, ([id, at]) => ({ id, at })) });
    if (certificates.size > 0) post({ type: 'certificates-seen', uses: [...certificates.values()] });
    if (tokens.size > 0) post({ type: 'tokens-seen', uses: [...tokens.values()] });
    sessions.clear();
    certificates.clear();
    tokens.clear();
    const events = refusals.take(all);
    if (events.length > 0) post({ type: 'audit', events });
    if (refusals.owes()) soon();
  };
  const flush = () => tell(true);
  const soon = () => {
    timer ??= setTimeout(() => tell(false), BATCH_MS).unref();
  };
  const keep = <Name extends string, Use>(uses: Map<Name, Use>, name: Name, use: Use) => {
    if (seenLately(name, performance.now())) return;
    uses.set(name, use);
    if (uses.size >= MAX_SEEN) tell(false);
    else soon();
  };
  return {
    flush,
    seen: (id, at) => keep(sessions, id, at),
    certificateSeen: (use) => keep(certificates, use.fingerprint, use),
    tokenSeen: (use) => keep(tokens, use.id, use),
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
/** 4 MB; one whose place another took is told again. */
const SEEN_PLACES = 1 << 18;
