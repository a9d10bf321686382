// Follows the requests at a share until nobody listens any more, or the API says why it is over.

import { FAULTS, type FaultCode, ServiceError } from '../domain/service-error.ts';
import { type ServerEvent, serverEvents } from './event-stream.ts';
import type { ShareRequestObject } from '../wire/share-request.ts';

export type WatchedEvent =
  /** From now on requests are told. */
  | { readonly kind: 'open' }
  | { readonly kind: 'request'; readonly request: ShareRequestObject }
  /** So many were too many to tell. */
  | { readonly kind: 'skipped'; readonly skipped: number };

/** Opens the stream: rejects as every call does. */
export type OpenBytes = (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Ends when `signal` is aborted. Throws what the API ends it with (`api_key_invalid`, `share_unknown`,
 * `draining`…), and `control_unreachable` when it breaks off or falls silent.
 */
export async function* watchRequests(open: OpenBytes, signal: AbortSignal): AsyncGenerator<WatchedEvent> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  // Whoever leaves need not come back to say so.
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  try {
    const bytes = await open(AbortSignal.any([signal, silence.signal]));
    for await (const event of serverEvents(each(bytes, heard))) {
      if (signal.aborted) return;
      const told = toldBy(event);
      if (told !== null) yield told;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof ServiceError ? error : brokenOff(error);
  } finally {
    clearTimeout(timer);
    // Whoever listens no more leaves the connection, too.
    silence.abort();
  }
  if (!signal.aborted) throw brokenOff();
}

async function* each<Item>(items: AsyncIterable<Item>, seen: () => void): AsyncGenerator<Item> {
  for await (const item of items) {
    seen();
    yield item;
  }
}

/** Null for what another version may tell. Throws for the end. */
function toldBy({ event, data }: ServerEvent): WatchedEvent | null {
  const document = JSON.parse(data) as object;
  if (event === 'end') throw endOf(document);
  if (event === 'open') return { kind: 'open' };
  if (event === 'request') return { kind: 'request', request: document as ShareRequestObject };
  return event === 'skipped' ? { kind: 'skipped', ...(document as { readonly skipped: number }) } : null;
}

type End = { readonly code?: unknown; readonly detail?: unknown; readonly hint?: unknown };

function endOf({ code, detail, hint }: End): ServiceError {
  const known = typeof code === 'string' && Object.hasOwn(FAULTS, code);
  const text = typeof detail === 'string' ? detail : 'Cannot continue the live view: the service ended it';
  return new ServiceError(
    known ? (code as FaultCode) : 'control_unreachable',
    text,
    typeof hint === 'string' ? { hint } : {},
  );
}

function brokenOff(cause?: unknown): ServiceError {
  return new ServiceError('control_unreachable', 'Cannot continue the live view: the connection was lost', {
    cause,
  });
}

/** Three times as long as the service ever says nothing. */
const SILENCE_MS = 45_000;
