// How long to wait before the next try: longer with each failure, and never the same for two agents, so that
// a gateway that comes back is not dialled by all of them at once.

/** `random` is in [0, 1). The first try after a loss comes at once, or nearly. */
export function backoffMs(failures: number, random: number): number {
  const most = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 20));
  return failures === 0 ? random * BACKOFF_FIRST_MS : most * (0.5 + random / 2);
}

const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 15_000;
