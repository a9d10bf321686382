// `doorward serve`: runs the service until SIGTERM or SIGINT. SIGHUP reads the configuration again; a faulty
// file keeps the old.

import { setFlagsFromString } from 'node:v8';
import { startFirstThread } from '../../serve/first-thread.ts';

/** Resolves when the service was stopped by a signal. Throws what `loadConfig` and `startService` throw. */
export async function runServe(configFile: string): Promise<void> {
  growYoungGenerations(false);
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
  const service = await startService({ config, log, appendLog: appendLines, firstThread });
  growYoungGenerations(true);
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
 * V8 gives a thread that makes much garbage a larger young generation, and does not take it back: what is
 * made while the program is loaded would cost 28 MB for good. Afterwards it grows as V8 thinks best. For all
 * threads.
 */
function growYoungGenerations(grow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${grow ? V8_GROWTH_FACTOR : 1}`);
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

/** V8's default. */
const V8_GROWTH_FACTOR = 2;
