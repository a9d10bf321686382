// `doorward config check`: all that is wrong with a configuration, at once (DESIGN 2.1), and the files that it names too.

import type { ConfigFault } from '../config/config-fault.ts';
import type { Config } from '../config/config.ts';
import { readConfigFile } from '../config/load.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import { readMasterKey } from '../store/master-key.ts';
import { tellFaults } from './config-faults.ts';
import { printJson, type Terminal } from './terminal.ts';

/** Answers the exit code: 0 for a sound configuration, 2 for one with faults. `json`: `{faults:[…]}` on `out`, always. */
export async function runConfigCheck(
  file: string,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<number> {
  const faults = await faultsOf(file);
  if (json) printJson(terminal, { faults });
  else tellFaults(terminal, file, faults);
  return faults.length === 0 ? 0 : WRONG_CONFIGURATION;
}

async function faultsOf(file: string): Promise<readonly ConfigFault[]> {
  const parsed = readConfigFile(file);
  if ('faults' in parsed) return parsed.faults;
  const { config, locate } = parsed;
  const faults: ConfigFault[] = [];
  for (const { path, wanted, check } of filesOf(config)) {
    const found = await messageOf(check);
    if (found !== null) faults.push({ path, ...locate(path), found, wanted });
  }
  return faults;
}

type FileCheck = { readonly path: string; readonly wanted: string; readonly check: () => Promise<unknown> };

function filesOf(config: Config): readonly FileCheck[] {
  const pairs = config.tls.map((pair, index) => ({
    path: `tls[${index}]`,
    wanted: 'a certificate and the key that belongs to it, both PEM',
    check: () => readTlsFiles([pair]),
  }));
  const masterKey = {
    path: 'store.master_key_file',
    wanted: 'the master key that doorward init wrote, mode 0600',
    check: () => readMasterKey(config.store.masterKeyFile),
  };
  return [...pairs, masterKey];
}

/** What a check says is wrong; null when nothing is. */
async function messageOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'an unknown fault';
  }
}

/** DESIGN 2.4: wrong usage or bad configuration. */
const WRONG_CONFIGURATION = 2;
