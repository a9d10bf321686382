// `doorward serve`: runs the service until SIGTERM or SIGINT. SIGHUP reads the configuration again; a faulty file keeps the old.

import { startFirstThread } from '../serve/first-thread.ts';

/** Resolves when the service was stopped by a signal. Throws what `loadConfig` and `startService` throw. */
export async function runServe(configFile: string): Promise<void> {
  const firstThread = startFirstThread();
  // Only now: while these are loaded, so are those of the thread.
  const { loadConfig } = await import('../config/load.ts');
  const { createLogger } = await import('./logger.ts');
  const { startService } = await import('../serve.ts');
  const config = await loadConfig(configFile);
  const { log, appendLines, flush } = createLogger({ level: config.log.level, file: null });
  const service = await startService({ config, log, appendLog: appendLines, firstThread });
  const reload = async (): Promise<void> => {
    try {
      await service.reload(await loadConfig(configFile));
    } catch (error) {
      log.error({ err: error }, 'Cannot reload the configuration: the former stays');
    }
  };
  const onHangup = (): void => void reload();
  process.on('SIGHUP', onHangup);
  const signal = await stopSignal();
  log.info({ signal }, 'Stopping');
  process.off('SIGHUP', onHangup);
  await service.close();
  flush();
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
