// `doorward serve`: runs the service until SIGTERM or SIGINT. SIGHUP reads the configuration again; a faulty file keeps the old.

import { loadConfig } from '../config/load.ts';
import { startService } from '../serve.ts';
import { createLogger } from './logger.ts';

/** Resolves when the service was stopped by a signal. Throws what `loadConfig` and `startService` throw. */
export async function runServe(configFile: string): Promise<void> {
  const config = await loadConfig(configFile);
  const { log, appendLines, flush } = createLogger({ level: config.log.level, file: null });
  const service = await startService({ config, log, appendLog: appendLines });
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
