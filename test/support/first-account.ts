// The account that a service of a test begins with: made in this process, or by the command of the program
// that serves, whose database this one must not touch.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createAccount } from '../../src/cli/accounts/create.ts';
import { loadConfig } from '../../src/config/load.ts';
import { Secret } from '../../src/domain/secret.ts';
import { openStore } from '../../src/store/open.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { programCall } from './program-call.ts';

const NAME = 'acme';
const ADMIN = 'admin@acme.test';

/** Answers its first API key. */
export async function firstAccount(configFile: string, program?: string): Promise<Secret> {
  if (program !== undefined) {
    const { command, words } = programCall(program);
    const create = [...words, 'account', 'create', NAME, '--admin', ADMIN, '--config', configFile, '--json'];
    const { stdout } = await promisify(execFile)(command, create);
    return new Secret((JSON.parse(stdout) as { readonly apiKey: string }).apiKey);
  }
  const { store } = await loadConfig(configFile);
  const masterKey = await readMasterKey(store.masterKeyFile);
  const opened = await openStore({ engine: store.engine, masterKey, now: Date.now, exclusive: false });
  try {
    return (await createAccount(opened, { name: NAME, adminEmail: ADMIN, now: Date.now() })).apiKey;
  } finally {
    await opened.close();
  }
}
