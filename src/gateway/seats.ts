// How many requests may be under way to the backend of one share: of one visitor, of all, and of the whole worker. Without it one
// visitor takes every connection of a share, and one share those of all others. Counts, and nothing else.

import { ServiceError } from '../domain/service-error.ts';

export type Seats = {
  /**
   * Throws `rate_limited` when the visitor has their portion, and `backend_timeout` when the share or the worker is full. Whoever takes one
   * gives it back once.
   */
  readonly take: (place: string, visitor: string, portion: number) => void;
  readonly leave: (place: string, visitor: string) => void;
};

export type SeatLimits = { readonly place: number; readonly worker: number; readonly reserve: number };

/** One for each worker. A place is a share, or a host of the service's own. */
export function createSeats(limits: SeatLimits = SEAT_LIMITS): Seats {
  const places = new Map<string, Place>();
  let taken = 0;
  return {
    take: (name, visitor, portion) => {
      let place = places.get(name);
      if (place === undefined) places.set(name, (place = { taken: 0, visitors: new Map() }));
      const own = place.visitors.get(visitor) ?? 0;
      if (own >= portion) throw visitorFull();
      if (place.taken >= limits.place || (taken >= limits.worker && place.taken >= limits.reserve))
        throw placeFull();
      place.visitors.set(visitor, own + 1);
      place.taken++;
      taken++;
    },
    leave: (name, visitor) => {
      const place = places.get(name);
      const own = place?.visitors.get(visitor);
      if (place === undefined || own === undefined) return;
      if (own > 1) place.visitors.set(visitor, own - 1);
      else place.visitors.delete(visitor);
      place.taken--;
      taken--;
      if (place.taken === 0 && places.size > MAX_EMPTY) places.delete(name);
    },
  };
}

type Place = { taken: number; readonly visitors: Map<string, number> };

function visitorFull(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Cannot forward a request: as many of this visitor are under way as one may have',
    { hint: 'Wait for some of them to be answered.', extra: { retryAfterSeconds: 1 } },
  );
}

function placeFull(): ServiceError {
  return new ServiceError(
    'backend_timeout',
    'Cannot forward a request: as many are under way as the backend may have',
  );
}

/** Of the 4,096 connections to a backend: a browser has a few dozen, an office behind one address some hundreds. */
export const PORTION = 1_024;
/** Of the thousand streams of an agent's connection. WebSockets count while they are open. */
export const TUNNEL_PORTION = 250;
export const SEAT_LIMITS: SeatLimits = {
  // The connections to a backend, and those who wait for one.
  place: 5_120,
  // Below what the process may open, and more than three busy shares need.
  worker: 16_384,
  // What each share has nevertheless.
  reserve: 64,
};
/** Kept, since most are taken again at once. */
const MAX_EMPTY = 1_000;
