// How many entries an LRU cache may hold. `max` of lru-cache takes the memory for all of them at once: 7 MB
// for those of one worker of the gate that has nothing to do, and a third of a service's start. By size it
// takes it as it fills, and reads are no slower.

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
