// `doorward quickstart` (npm start): everything on this machine from one command. The gateway with its
// records, a test provider, a sample application and one protected share, all on loopback; state in one
// folder.

import { isLibraryInstalled } from '../../../devidp/provider.ts';
import { startDevIdp } from '../../../devidp/start.ts';
import { loadConfig } from '../../config/load.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { startService } from '../../serve.ts';
import { createLogger } from '../service/logger.ts';
import { DEV_CLIENT_ID, DEV_PROVIDER, loginUrlAt, shareUrlAt } from './config.ts';
import { applyPorts, keptPort, prepareFiles, type QuickstartFiles, quickstartFiles } from './files.ts';
import { assertFree, DEFAULT_PORT, type Ports, portsFrom } from './ports.ts';
import { ensureAccount, ensureHello, HELLO } from './share.ts';
import { programText, startedText } from './text.ts';
import { startSampleBackend } from './sample-backend.ts';

export type QuickstartOptions = {
  /** Where the state is kept; `.doorward` in the current folder unless said. */
  readonly dir?: string;
  /** The gateway's; the one that the folder was started at before, else 8080, unless said. */
  readonly port?: number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

/**
 * Runs until Ctrl+C or SIGTERM. Throws `not_installed` without the library of the test provider,
 * `address_in_use` when a port is taken, `config_invalid` when the folder's configuration cannot be used, and
 * has nothing running then.
 */
export async function runQuickstart({ dir = DEFAULT_DIR, port, out, err }: QuickstartOptions): Promise<void> {
  await assertProviderInstalled();
  const files = quickstartFiles(dir);
  const kept = await keptPort(files);
  const ports = portsFrom(port ?? kept ?? DEFAULT_PORT);
  await assertFree(ports);
  const stopAsked = stopSignal();
  const running = await startAll(files, ports);
  const cwd = process.cwd();
  const program = programText(process.argv[1] ?? '', cwd);
  out(startedText({ ports, files, again: kept !== null, program, cwd }));
  await stopAsked;
  await stopInTime(running);
  err('Stopped.\n');
}

async function assertProviderInstalled(): Promise<void> {
  if (await isLibraryInstalled()) return;
  throw new ServiceError(
    'not_installed',
    'Cannot start the quick start: its test provider is not installed',
    {
      hint: 'Install the library of the test provider next to doorward: "npm install -g oidc-provider@9".',
    },
  );
}

type Running = () => Promise<unknown>;

/** In the order in which each needs the former; what was started is stopped again when one of them cannot. */
async function startAll(files: QuickstartFiles, ports: Ports): Promise<Running> {
  const undo: Running[] = [];
  const stop = async (): Promise<void> => {
    await Promise.allSettled(undo.splice(0).map((each) => each()));
  };
  try {
    await prepareFiles(files, ports);
    // Before any change: a quick start that runs from the same folder keeps its configuration.
    const apiKey = await ensureAccount(files);
    const clientSecret = await applyPorts(files, ports);
    const provider = await startDevIdp({
      port: ports.provider,
      folder: files.provider,
      clients: [devClient(ports, clientSecret)],
    });
    undo.push(provider.close);
    const shareUrl = shareUrlAt(ports, HELLO);
    const sample = await startSampleBackend({ port: ports.sample, shareUrl, loginUrl: loginUrlAt(ports) });
    undo.push(sample.close);
    const config = await loadConfig(files.config);
    const logger = createLogger({ level: config.log.level, file: files.log });
    undo.push(async () => logger.flush());
    const service = await startService({ config, log: logger.log, appendLog: logger.appendLines });
    undo.push(() => service.close(GRACE_MS));
    await ensureHello(ports, apiKey);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

function devClient(ports: Ports, clientSecret: string) {
  const loginUrl = loginUrlAt(ports);
  return {
    clientId: DEV_CLIENT_ID,
    clientSecret,
    name: 'Doorward',
    redirectUris: [`${loginUrl}/${DEV_PROVIDER}/auth/callback`],
    postLogoutRedirectUris: [`${loginUrl}/`],
  };
}

/** Resolves at the first Ctrl+C or SIGTERM; the second ends the process at once, as it would anyway. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
  });
}

/** Whatever hangs, now or after, does not keep the terminal waiting. */
async function stopInTime(stop: Running): Promise<void> {
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  await stop();
}

const DEFAULT_DIR = '.doorward';
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// Nobody waits for a quick start to drain: running requests get a moment, and all is over within a second.
const GRACE_MS = 300;
const STOP_WITHIN_MS = 900;
