// `doorward serve`: runs the service until SIGTERM or SIGINT. SIGHUP reads the configuration again; a faulty
// file keeps the old.

import { setFlagsFromString } from 'node:v8';
import { startFirstThread } from '../../serve/first-thread.ts';
import type { ConfigChoice } from '../../wire/settings.ts';

/** Resolves when the service was stopped by a signal. Throws what `loadConfig` and `startService` throw. */
export async function runServe(configFile: string, configChosenBy: ConfigChoice): Promise<void> {
  const firstThread = startFirstThread();
  // Only now: while these are loaded, so are those of the thread.
  const { loadConfig } = await import('../../config/load.ts');
  const { createLogger } = await import('./logger.ts');
  const { startService } = await import('../../serve.ts');
  const config = await loadConfig(configFile);
  const { log, appendLines, flush } = createLogger({ level: config.log.level, file: null });
  // From now on: the first worker may serve while others start, and whoever sees it may tell the service to
  // stop.
  const stopAsked = stopSignal();
  const service = await startService({ config, configChosenBy, log, appendLog: appendLines, firstThread });
  useFlagsForServing();
  const reload = async (): Promise<void> => {
    try {
      await service.reload(await loadConfig(configFile));
    } catch (error) {
      log.error({ err: error }, 'Cannot reload the configuration: the previous one stays');
    }
  };
  const onHangup = (): void => void reload();
  process.on('SIGHUP', onHangup);
  const signal = await stopAsked;
  log.info({ signal }, 'Stopping');
  process.off('SIGHUP', onHangup);
  await service.close();
  flush();
}

/**
 * For all threads, and only once they have loaded what they need: V8 takes no compiled code back from a cache
 * that was written under other flags, Node's own for its modules included (measured: 40 ms of a start).
 */
function useFlagsForServing(): void {
  // V8 guesses which objects live long and puts them among the old at once. In a worker it guesses wrong: of
  // a request that ended, one such object keeps all the others until the next full collection (measured: a
  // tenth of the cost of a request).
  setFlagsFromString('--no-allocation-site-pretenuring');
  // What a scavenge leaves over is little: half a millisecond of work. Shared with helper threads it ends
  // when the last of them got its turn on a busy machine (measured with more work than processors: pauses of
  // 0.5 ms took 2.3 ms in the median, now 1.1).
  setFlagsFromString('--no-parallel-scavenge');
}

/** The first signal drains; the second ends the process at once, as its default does. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      resolve(signal);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
