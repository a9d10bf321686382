// A store that answers and takes nothing new: its disk is full, or it is for reading only. Both are
// `store_unavailable` with a `reason`, since whoever asks is refused alike; the operator is told which it is,
// and what to do.

import { ServiceError } from '../domain/service-error.ts';
import type { Engine } from './engine.ts';

export type WriteTrouble = 'disk_full' | 'read_only';

export function cannotWrite(reason: WriteTrouble, hint: string, cause: unknown): ServiceError {
  const found = reason === 'disk_full' ? 'its disk is full' : 'it is read-only';
  return new ServiceError('store_unavailable', `Cannot write to the database: ${found}`, {
    cause,
    hint,
    extra: { reason },
  });
}

/** Null for any other fault. */
export function troubleOf(error: unknown): WriteTrouble | null {
  const reason = error instanceof ServiceError ? error.extra['reason'] : null;
  return reason === 'disk_full' || reason === 'read_only' ? reason : null;
}

/**
 * The engine, and what its last write met: null once one was kept. A fault of another kind says nothing of
 * it.
 */
export function watchWrites(engine: Engine): {
  readonly engine: Engine;
  readonly trouble: () => WriteTrouble | null;
} {
  let trouble: WriteTrouble | null = null;
  const watched =
    (transact: Engine['transact']): Engine['transact'] =>
    async (work) => {
      try {
        const kept = await transact(work);
        trouble = null;
        return kept;
      } catch (error) {
        trouble = troubleOf(error) ?? trouble;
        throw error;
      }
    };
  const both = ({ transact, transactLong }: Engine['forCalls']) => ({
    transact: watched(transact),
    transactLong: watched(transactLong),
  });
  const { forCalls } = engine;
  return {
    engine: { ...engine, ...both(engine), forCalls: { ...forCalls, ...both(forCalls) } },
    trouble: () => trouble,
  };
}
