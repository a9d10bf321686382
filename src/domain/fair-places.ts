// Places that many want at once, given out in turn: whoever has the fewest is next, so that one who asks a
// thousand times takes none from one who asks once. Where too many wait, it is the longest line that gets
// shorter.

export type FairPlaces = {
  /**
   * A place for somebody of this lane; call what it answers to leave, once or more often. Rejects with the
   * signal's reason when that comes first, and with an `Error` when too many wait.
   */
  readonly enter: (lane: string, signal: AbortSignal) => Promise<() => void>;
  /** How many of this lane have a place or wait for one. */
  readonly outstanding: (lane: string) => number;
};

export type PlacesOptions = {
  readonly atOnce: number;
  /** How many of them one lane may have, whether others wait or not; all unless said. */
  readonly ofLane?: number;
  /** How many may wait. */
  readonly waiting: number;
  /**
   * How long a place is taken at least, whenever who had it leaves: that bounds how many are given out in a
   * while.
   */
  readonly heldMs?: number;
};

/** Milliseconds, of which only differences count. */
export type PlacesClock = {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => unknown;
};

export function createFairPlaces(options: PlacesOptions, clock: PlacesClock): FairPlaces {
  const { atOnce, ofLane = atOnce, heldMs = 0 } = options;
  // Those with somebody in them, the one that had its turn last at the end.
  const lanes = new Map<string, Lane>();
  let used = 0;
  let waiting = 0;

  const occupy = (name: string, lane: Lane): (() => void) => {
    used++;
    lane.used++;
    toEnd(name, lane);
    const since = clock.now();
    let left = false;
    const free = () => {
      used--;
      lane.used--;
      toEnd(name, lane);
      serve();
      forgetIfEmpty(name, lane);
    };
    return () => {
      if (left) return;
      left = true;
      const restMs = heldMs - (clock.now() - since);
      if (restMs > 0) clock.after(restMs, free);
      else free();
    };
  };

  function toEnd(name: string, lane: Lane): void {
    lanes.delete(name);
    lanes.set(name, lane);
  }

  /** One place became free, so one may go. */
  function serve(): void {
    const next = nextOf(lanes, ofLane);
    if (next === null) return;
    const [name, lane, waiter] = next;
    lane.line.delete(waiter);
    waiting--;
    waiter.go(occupy(name, lane));
  }

  function forgetIfEmpty(name: string, lane: Lane): void {
    if (lane.used === 0 && lane.line.size === 0 && lanes.get(name) === lane) lanes.delete(name);
  }

  function wait(name: string, lane: Lane, signal: AbortSignal): Promise<() => void> {
    lanes.set(name, lane);
    waiting++;
    return lineUp(lane, signal, () => {
      waiting--;
      forgetIfEmpty(name, lane);
    });
  }

  return {
    async enter(name, signal) {
      // Who is over already would wait without anybody to end it.
      signal.throwIfAborted();
      const lane = lanes.get(name) ?? { used: 0, line: new Set() };
      if (used < atOnce && lane.used < ofLane && lane.line.size === 0) return occupy(name, lane);
      if (waiting >= options.waiting) makeRoom(lanes, lane);
      return wait(name, lane, signal);
    },
    outstanding(name) {
      const lane = lanes.get(name);
      return lane === undefined ? 0 : lane.used + lane.line.size;
    },
  };
}

type Waiter = { readonly go: (leave: () => void) => void; readonly giveUp: (reason: unknown) => void };
/** In a line, who came first is first. */
type Lane = { used: number; readonly line: Set<Waiter> };

/** Of the lanes with the fewest places the one whose turn was longest ago. */
function nextOf(
  lanes: ReadonlyMap<string, Lane>,
  ofLane: number,
): readonly [name: string, lane: Lane, waiter: Waiter] | null {
  let next: readonly [string, Lane, Waiter] | null = null;
  for (const [name, lane] of lanes) {
    const [waiter] = lane.line;
    if (waiter === undefined || lane.used >= ofLane) continue;
    if (next === null || lane.used < next[1].used) next = [name, lane, waiter];
  }
  return next;
}

/** In the line of a lane until it has its turn, or gives up. */
function lineUp(lane: Lane, signal: AbortSignal, gaveUp: () => void): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const over = () => waiter.giveUp(signal.reason);
  const waiter: Waiter = {
    go(leave) {
      signal.removeEventListener('abort', over);
      resolve(leave);
    },
    giveUp(reason) {
      signal.removeEventListener('abort', over);
      lane.line.delete(waiter);
      gaveUp();
      reject(reason);
    },
  };
  signal.addEventListener('abort', over);
  lane.line.add(waiter);
  return promise;
}

/**
 * The last of the longest line gives way to one whose line is shorter by more; else that one is turned away.
 */
function makeRoom(lanes: ReadonlyMap<string, Lane>, lane: Lane): void {
  const longest = longestOf(lanes);
  const last = longest === null ? undefined : [...longest.line].at(-1);
  if (longest === null || last === undefined || longest.line.size <= lane.line.size + 1) throw crowded();
  last.giveUp(crowded());
}

function longestOf(lanes: ReadonlyMap<string, Lane>): Lane | null {
  let longest: Lane | null = null;
  for (const lane of lanes.values())
    if (longest === null || lane.line.size > longest.line.size) longest = lane;
  return longest;
}

function crowded(): Error {
  return new Error('too many calls wait');
}
