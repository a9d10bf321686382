// `doorward config check`: all that is wrong with a configuration, at once (DESIGN 2.1), and the files that
// it names too.

import type { ConfigFault } from '../../config/config-fault.ts';
import type { Config } from '../../config/config.ts';
import { readConfigFile } from '../../config/load.ts';
import { readTlsFiles } from '../../config/tls-files.ts';
import { readMasterKey } from '../../store/sealing/master-key.ts';
import { configWarnings } from '../../config/warnings.ts';
import { tellFaults, tellWarnings } from './config-faults.ts';
import { otherInstances } from '../doctor/port-checks.ts';
import { printJson, type Terminal } from '../terminal.ts';

/**
 * Answers the exit code: 0 for a sound configuration, 2 for one with faults. Warnings change nothing of it.
 * `json`: `{faults:[…],warnings:[…]}` on `out`, always.
 */
export async function runConfigCheck(
  file: string,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<number> {
  const { faults, warnings } = await findingsOf(file);
  if (json) printJson(terminal, { faults, warnings });
  else {
    tellWarnings(terminal, file, warnings);
    tellFaults(terminal, file, faults);
  }
  return faults.length === 0 ? 0 : WRONG_CONFIGURATION;
}

type Findings = { readonly faults: readonly ConfigFault[]; readonly warnings: readonly ConfigFault[] };

async function findingsOf(file: string): Promise<Findings> {
  const parsed = readConfigFile(file);
  if ('faults' in parsed) return { faults: parsed.faults, warnings: [] };
  const { config, locate } = parsed;
  const faults: ConfigFault[] = [];
  for (const { path, wanted, check } of filesOf(config)) {
    const found = await messageOf(check);
    if (found !== null) faults.push({ path, ...locate(path), found, wanted });
  }
  const warnings: ConfigFault[] = [];
  for (const { path, found, wanted } of [...configWarnings(config), ...(await takenBy(config))])
    warnings.push({ path, ...locate(path), found, wanted });
  return { faults, warnings };
}

async function takenBy(config: Config): Promise<readonly Pick<ConfigFault, 'path' | 'found' | 'wanted'>[]> {
  return (await otherInstances(config)).map(({ name, at }) => ({
    path: `${name}.bind_address`,
    found: `${at}, where another installation of Doorward listens`,
    wanted: 'a free address; stop the other installation',
  }));
}

type FileCheck = { readonly path: string; readonly wanted: string; readonly check: () => Promise<unknown> };

function filesOf(config: Config): readonly FileCheck[] {
  const pairs = config.tls.map((pair, index) => ({
    path: `tls[${index}]`,
    wanted: 'a certificate and its key, both PEM',
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
    return error instanceof Error ? error.message : 'an unknown error';
  }
}

/** DESIGN 2.4: wrong usage or bad configuration. */
const WRONG_CONFIGURATION = 2;
