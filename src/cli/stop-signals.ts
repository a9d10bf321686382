// What asks a command in the foreground to stop: Ctrl+C, SIGTERM, a closed terminal, a reader of its output
// that went away.

export type StopSignals = {
  /** Aborted when it is asked to stop. */
  readonly asked: AbortSignal;
  /** Aborted when it is asked again: somebody has no patience left. A third time ends the process. */
  readonly askedAgain: AbortSignal;
  /** Gives the signals back to the system, which ends the process at once. */
  readonly release: () => void;
};

/** `signals`: those that ask; all that do by default, unless said. */
export function awaitStopSignals(signals: readonly NodeJS.Signals[] = STOP_SIGNALS): StopSignals {
  const first = new AbortController();
  const second = new AbortController();
  const signalled = (): void => {
    if (!first.signal.aborted) return first.abort();
    release();
    second.abort();
  };
  const release = (): void => {
    for (const signal of signals) process.off(signal, signalled);
  };
  for (const signal of signals) process.on(signal, signalled);
  // Stays: what is written after the reader left would end the process otherwise.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => first.abort());
  return { asked: first.signal, askedAgain: second.signal, release };
}

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
