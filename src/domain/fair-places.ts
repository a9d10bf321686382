// Places that many want at once, given out in turn: whoever has the fewest is next, so that one who asks a
// thousand times takes none from one who asks once. Where too many wait, it is the longest line that gets
// shorter. A lane may have parts, which share what it has by the same rules.

export type FairPlaces = {
  /**
   * A place for somebody of this lane, and of this part of it; call what it answers to leave, once or more
   * often. Rejects with the signal's reason when that comes first, and with an `Error` when too many wait.
   */
  readonly enter: (lane: string, signal: AbortSignal, part?: string) => Promise<() => void>;
  /** How many of this part of a lane have a place or wait for one. */
  readonly outstanding: (lane: string, part?: string) => number;
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
  readonly held?: { readonly ms: number; readonly clock: PlacesClock };
};

/** Milliseconds, of which only differences count. */
export type PlacesClock = {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => unknown;
};

export function createFairPlaces(options: PlacesOptions): FairPlaces {
  const { atOnce, ofLane = atOnce, held } = options;
  // Those with somebody in them, the one that had its turn last at the end.
  const lanes = new Map<string, Lane>();
  let used = 0;
  let waiting = 0;

  const occupy = (name: string, lane: Lane, part: string): (() => void) => {
    used++;
    lane.used++;
    lane.usedBy.set(part, usedBy(lane, part) + 1);
    toEnd(name, lane);
    const since = held?.clock.now() ?? 0;
    let left = false;
    const free = () => {
      used--;
      lane.used--;
      leavePart(lane, part);
      toEnd(name, lane);
      serve();
      forgetIfEmpty(name, lane);
    };
    return () => {
      if (left) return;
      left = true;
      const restMs = held === undefined ? 0 : held.ms - (held.clock.now() - since);
      if (restMs > 0) held?.clock.after(restMs, free);
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
    const [name, lane] = next;
    const waiter = firstOf(lane);
    lane.line.delete(waiter);
    waiting--;
    waiter.go(occupy(name, lane, waiter.part));
  }

  function forgetIfEmpty(name: string, lane: Lane): void {
    if (lane.used === 0 && lane.line.size === 0 && lanes.get(name) === lane) lanes.delete(name);
  }

  function wait(name: string, lane: Lane, part: string, signal: AbortSignal): Promise<() => void> {
    lanes.set(name, lane);
    waiting++;
    return lineUp(lane, part, signal, () => {
      waiting--;
      forgetIfEmpty(name, lane);
    });
  }

  return {
    async enter(name, signal, part = '') {
      // Who is over already would wait without anybody to end it.
      signal.throwIfAborted();
      const lane = lanes.get(name) ?? { used: 0, usedBy: new Map(), line: new Set() };
      if (used < atOnce && lane.used < ofLane && lane.line.size === 0) return occupy(name, lane, part);
      if (waiting >= options.waiting) makeRoom(lanes, lane, part);
      return wait(name, lane, part, signal);
    },
    outstanding(name, part = '') {
      const lane = lanes.get(name);
      return lane === undefined ? 0 : usedBy(lane, part) + waitingOf(lane, part).length;
    },
  };
}

type Waiter = {
  readonly part: string;
  readonly go: (leave: () => void) => void;
  readonly giveUp: (reason: unknown) => void;
};
type Lane = {
  used: number;
  /** Of the parts that have a place. */
  readonly usedBy: Map<string, number>;
  /** In the order in which they came. */
  readonly line: Set<Waiter>;
};

function usedBy(lane: Lane, part: string): number {
  return lane.usedBy.get(part) ?? 0;
}

function leavePart(lane: Lane, part: string): void {
  const rest = usedBy(lane, part) - 1;
  if (rest > 0) lane.usedBy.set(part, rest);
  else lane.usedBy.delete(part);
}

function waitingOf({ line }: Lane, part: string): readonly Waiter[] {
  return [...line].filter((waiter) => waiter.part === part);
}

/** Of the lanes with the fewest places the one whose turn was longest ago. */
function nextOf(
  lanes: ReadonlyMap<string, Lane>,
  ofLane: number,
): readonly [name: string, lane: Lane] | null {
  let next: readonly [string, Lane] | null = null;
  for (const [name, lane] of lanes) {
    if (lane.line.size === 0 || lane.used >= ofLane) continue;
    if (next === null || lane.used < next[1].used) next = [name, lane];
  }
  return next;
}

/** Of a line that is not empty: of the parts with the fewest places who came first. */
function firstOf(lane: Lane): Waiter {
  return [...lane.line].reduce((first, waiter) =>
    usedBy(lane, waiter.part) < usedBy(lane, first.part) ? waiter : first,
  );
}

/** In the line of a lane until it has its turn, or gives up. */
function lineUp(lane: Lane, part: string, signal: AbortSignal, gaveUp: () => void): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const over = () => waiter.giveUp(signal.reason);
  const waiter: Waiter = {
    part,
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
 * The last of the longest line gives way to one whose line is shorter by more, and else the last of its own
 * line's most frequent part to one of another part; else that one is turned away.
 */
function makeRoom(lanes: ReadonlyMap<string, Lane>, lane: Lane, part: string): void {
  const longest = longestOf(lanes);
  const isLonger = longest !== null && longest.line.size > lane.line.size + 1;
  const most = mostOf(isLonger ? longest : lane);
  const last = most.at(-1);
  if (last === undefined || (!isLonger && most.length <= waitingOf(lane, part).length + 1)) throw crowded();
  last.giveUp(crowded());
}

/** Those of the part of which the most wait. */
function mostOf({ line }: Lane): readonly Waiter[] {
  const parts = [...Map.groupBy(line, ({ part }) => part).values()];
  return parts.reduce((most, each) => (each.length > most.length ? each : most), []);
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
