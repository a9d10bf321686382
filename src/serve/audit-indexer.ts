// Keeps what audit events and sessions are found by up to date, beside everything else: a few at a time, and
// at leisure after an upgrade, when those of years are new to it. Gateways that share a database do it in
// turns.

import type { Log } from '../domain/log.ts';
import type { AuditTable } from '../store/audit/query.ts';

/** Until the returned function is called. */
export function startAuditIndexer({ index }: Pick<AuditTable, 'index'>, log: Log): () => void {
  let timer = setTimeout(() => void turn(), IDLE_MS).unref();
  let isStopped = false;
  let isTold = false;
  const turn = async (): Promise<void> => {
    let isMore = false;
    try {
      isMore = await index();
      isTold = false;
    } catch (error) {
      // Whoever searches reads the log itself meanwhile. Said once: a database that is away is told of
      // elsewhere.
      if (!isTold) log.warn({ err: error }, 'Cannot index audit events and sessions for search');
      isTold = true;
    }
    if (!isStopped) timer = setTimeout(() => void turn(), isMore ? BUSY_MS : IDLE_MS).unref();
  };
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const IDLE_MS = 5_000;
/** Between two writes, so that they take a small part of the time. */
const BUSY_MS = 50;
