// How many entries an LRU cache of the gate may hold. `max` of lru-cache takes the memory for all of them at
// once: 7 MB for those of one worker that has nothing to do. By size it takes it as it fills, and reads are
// no slower.

/** Options of an `LRUCache`. */
export function atMost(entries: number): {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
} {
  return { maxSize: entries, sizeCalculation: one };
}

function one(): number {
  return 1;
}
