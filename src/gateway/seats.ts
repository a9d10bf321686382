// How many requests, or WebSockets, may be under way to the backend of one share: of one visitor, of all, of
// one account's shares, and of the whole worker. Without it one visitor takes every connection of a share,
// and one share or account those of all others. Counts, and nothing else.

import { SITES_OF_A_BLOCK } from '../domain/network-window.ts';
import { ServiceError } from '../domain/service-error.ts';

export type Seats = {
  /**
   * Throws `rate_limited` when the visitor has their portion, and `backend_timeout` when the share or the
   * worker is full. Whoever takes one gives it back once.
   */
  readonly take: (input: SeatInput) => void;
  readonly leave: (input: Pick<SeatInput, 'place' | 'client' | 'around'>) => void;
};

export type SeatInput = {
  /** A share, or a host of the service's own. */
  readonly place: string;
  /** Whose place it is: an account, or nobody. */
  readonly owner: string;
  readonly client: string;
  /** Of whom nobody says who it is: the /48 of IPv6 around, which has the portions of a few. */
  readonly around: string | null;
  readonly portion: number;
};

export type SeatLimits = {
  readonly place: number;
  readonly owner: number;
  /** With the reserves of all of its places. */
  readonly ownerAtMost: number;
  readonly worker: number;
  readonly reserve: number;
};

/** One for each worker. */
export function createSeats(limits: SeatLimits = SEAT_LIMITS): Seats {
  const places = new Map<string, Place>();
  const owners = new Map<string, Owner>();
  let taken = 0;
  const placeOf = ({ place: name, owner: ownerName }: SeatInput): Place => {
    let owner = owners.get(ownerName);
    if (owner === undefined) owners.set(ownerName, (owner = { name: ownerName, taken: 0, places: 0 }));
    owner.places++;
    const place: Place = { taken: 0, owner, visitors: new Map() };
    places.set(name, place);
    return place;
  };
  return {
    take: (input) => {
      const place = places.get(input.place) ?? placeOf(input);
      const own = place.visitors.get(input.client) ?? 0;
      if (own >= input.portion) throw visitorFull();
      const near = input.around === null ? 0 : (place.visitors.get(input.around) ?? 0);
      if (near >= input.portion * SITES_OF_A_BLOCK) throw visitorFull();
      const { owner } = place;
      const isCrowded = taken >= limits.worker || owner.taken >= limits.owner;
      if (place.taken >= limits.place || owner.taken >= limits.ownerAtMost) throw placeFull();
      if (isCrowded && place.taken >= limits.reserve) throw placeFull();
      place.visitors.set(input.client, own + 1);
      if (input.around !== null) place.visitors.set(input.around, near + 1);
      place.taken++;
      owner.taken++;
      taken++;
    },
    leave: ({ place: name, client, around }) => {
      const place = places.get(name);
      const own = place?.visitors.get(client);
      if (place === undefined || own === undefined) return;
      giveBack(place, client);
      if (around !== null) giveBack(place, around);
      const { owner } = place;
      place.taken--;
      owner.taken--;
      taken--;
      if (place.taken > 0 || places.size <= MAX_EMPTY) return;
      places.delete(name);
      owner.places--;
      if (owner.places === 0) owners.delete(owner.name);
    },
  };
}

type Place = { taken: number; readonly owner: Owner; readonly visitors: Map<string, number> };
type Owner = { readonly name: string; taken: number; places: number };

function giveBack({ visitors }: Place, name: string): void {
  const count = visitors.get(name) ?? 0;
  if (count > 1) visitors.set(name, count - 1);
  else visitors.delete(name);
}

function visitorFull(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Cannot forward a request: this visitor has too many requests in progress',
    { hint: 'Wait until some of them are answered.', extra: { retryAfterSeconds: 1 } },
  );
}

function placeFull(): ServiceError {
  return new ServiceError(
    'backend_timeout',
    'Cannot forward a request: the backend has too many requests in progress',
  );
}

/**
 * Of the 4,096 connections to a backend: a browser has a few dozen, an office behind one address some
 * hundreds.
 */
export const PORTION = 1_024;
/** Of WebSockets: each takes two descriptors of the process, and a local port towards the backend. */
export const SOCKET_PORTION = 2_048;
/** Of the thousand connections that an agent lends. WebSockets count while they are open. */
export const TUNNEL_PORTION = 250;
export const SEAT_LIMITS: SeatLimits = {
  // The connections to a backend, and those who wait for one.
  place: 5_120,
  // Below what the process may open, and more than three busy shares need.
  worker: 16_384,
  // However many shares an account has.
  owner: 8_192,
  ownerAtMost: 9_216,
  // What each share has nevertheless.
  reserve: 64,
};
export const SOCKET_LIMITS: SeatLimits = {
  // Of the 28,000 local ports that one address of a backend gives.
  place: 20_480,
  owner: 20_480,
  ownerAtMost: 24_576,
  worker: 40_960,
  reserve: 256,
};
/** Kept, since most are taken again at once. */
const MAX_EMPTY = 1_000;
