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
  let came = 0;

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
    leaveLine(lane, waiter);
    waiting--;
    waiter.go(occupy(name, lane, waiter.part));
  }

  function forgetIfEmpty(name: string, lane: Lane): void {
    if (lane.used === 0 && lane.waiting === 0 && lanes.get(name) === lane) lanes.delete(name);
  }

  function wait(name: string, lane: Lane, part: string, signal: AbortSignal): Promise<() => void> {
    lanes.set(name, lane);
    waiting++;
    return lineUp(lane, { part, came: came++ }, signal, () => {
      waiting--;
      forgetIfEmpty(name, lane);
    });
  }

  return {
    async enter(name, signal, part = '') {
      // Who is over already would wait without anybody to end it.
      signal.throwIfAborted();
      const lane = lanes.get(name) ?? newLane();
      if (used < atOnce && lane.used < ofLane && lane.waiting === 0) return occupy(name, lane, part);
      if (waiting >= options.waiting) makeRoom(lanes, lane, part);
      return wait(name, lane, part, signal);
    },
    outstanding(name, part = '') {
      const lane = lanes.get(name);
      return lane === undefined ? 0 : usedBy(lane, part) + waitingOf(lane, part);
    },
  };
}

/** `came`: the later, the greater. */
type Arrival = { readonly part: string; readonly came: number };
type Waiter = Arrival & {
  readonly go: (leave: () => void) => void;
  readonly giveUp: (reason: unknown) => void;
};
type Lane = {
  used: number;
  /** Of the parts that have a place. */
  readonly usedBy: Map<string, number>;
  waiting: number;
  /** Of the parts that wait, each in the order in which they came. */
  readonly lines: Map<string, Set<Waiter>>;
};

function newLane(): Lane {
  return { used: 0, usedBy: new Map(), waiting: 0, lines: new Map() };
}

function usedBy(lane: Lane, part: string): number {
  return lane.usedBy.get(part) ?? 0;
}

function leavePart(lane: Lane, part: string): void {
  const rest = usedBy(lane, part) - 1;
  if (rest > 0) lane.usedBy.set(part, rest);
  else lane.usedBy.delete(part);
}

function waitingOf({ lines }: Lane, part: string): number {
  return lines.get(part)?.size ?? 0;
}

function joinLine(lane: Lane, waiter: Waiter): void {
  const line = lane.lines.get(waiter.part) ?? new Set();
  lane.lines.set(waiter.part, line.add(waiter));
  lane.waiting++;
}

function leaveLine(lane: Lane, waiter: Waiter): void {
  const line = lane.lines.get(waiter.part);
  if (line === undefined || !line.delete(waiter)) return;
  lane.waiting--;
  if (line.size === 0) lane.lines.delete(waiter.part);
}

/** Of the lanes with the fewest places the one whose turn was longest ago. */
function nextOf(
  lanes: ReadonlyMap<string, Lane>,
  ofLane: number,
): readonly [name: string, lane: Lane] | null {
  let next: readonly [string, Lane] | null = null;
  for (const [name, lane] of lanes) {
    if (lane.waiting === 0 || lane.used >= ofLane) continue;
    if (next === null || lane.used < next[1].used) next = [name, lane];
  }
  return next;
}

/** Of a line that is not empty: of the parts with the fewest places who came first. */
function firstOf(lane: Lane): Waiter {
  const firsts = Array.from(lane.lines.values(), ([first]) => first!);
  return firsts.reduce((first, waiter) => {
    const fewer = usedBy(lane, first.part) - usedBy(lane, waiter.part);
    return fewer > 0 || (fewer === 0 && waiter.came < first.came) ? waiter : first;
  });
}

/** In the line of a lane until it has its turn, or gives up. */
function lineUp(lane: Lane, arrival: Arrival, signal: AbortSignal, gaveUp: () => void): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const over = () => waiter.giveUp(signal.reason);
  const waiter: Waiter = {
    ...arrival,
    go(leave) {
      signal.removeEventListener('abort', over);
      resolve(leave);
    },
    giveUp(reason) {
      signal.removeEventListener('abort', over);
      leaveLine(lane, waiter);
      gaveUp();
      reject(reason);
    },
  };
  signal.addEventListener('abort', over);
  joinLine(lane, waiter);
  return promise;
}

/**
 * The last of the longest line gives way to one whose line is shorter by more, and else the last of its own
 * line's most frequent part to one of another part; else that one is turned away.
 */
function makeRoom(lanes: ReadonlyMap<string, Lane>, lane: Lane, part: string): void {
  const longest = longestOf(lanes);
  const isLonger = longest !== null && longest.waiting > lane.waiting + 1;
  const most = [...mostOf(isLonger ? longest : lane)];
  const last = most.at(-1);
  if (last === undefined || (!isLonger && most.length <= waitingOf(lane, part) + 1)) throw crowded();
  last.giveUp(crowded());
}

/** Those of the part of which the most wait. */
function mostOf({ lines }: Lane): ReadonlySet<Waiter> {
  return [...lines.values()].reduce((most, each) => (each.size > most.size ? each : most), new Set());
}

function longestOf(lanes: ReadonlyMap<string, Lane>): Lane | null {
  let longest: Lane | null = null;
  for (const lane of lanes.values()) if (longest === null || lane.waiting > longest.waiting) longest = lane;
  return longest;
}

function crowded(): Error {
  return new Error('too many calls wait');
}
