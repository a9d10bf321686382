// Which way the gates of this process reach their backends: directly, or through the tunnels of agents. A
// file that says `useTunnels()` and imports request suites runs each of their cases through a tunnel, with
// the results that they expect of a direct backend.

import { test } from 'node:test';

let tunnels = false;

/** Before any suite is imported. */
export function useTunnels(): void {
  tunnels = true;
}

export function usesTunnels(): boolean {
  return tunnels;
}

/**
 * A case that a tunnel cannot change: about dialling backends, which agents do elsewhere, or about what comes
 * long before.
 */
export const testDirect: typeof test = ((...given: Parameters<typeof test>) =>
  usesTunnels() ? undefined : test(...given)) as typeof test;
