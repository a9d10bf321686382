// Writes the file of the master key: the whole of it or nothing, on the disk before anything is sealed with
// what it holds.

import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '../../domain/service-error.ts';
import { type MasterKeys, masterKeysText } from './master-key.ts';

/**
 * Puts these keys in the place of what the file holds, with its owner. Throws `config_invalid` when it cannot
 * be written.
 */
export async function writeMasterKeys(file: string, keys: MasterKeys): Promise<void> {
  const fresh = `${file}.new`;
  try {
    const { uid, gid } = await stat(file);
    // One that a killed process left: only who has the lock of a rotation is here.
    await rm(fresh, { force: true });
    const handle = await open(fresh, 'wx', FILE_MODE);
    try {
      await handle.writeFile(masterKeysText(keys));
      // As root, for the service's user.
      if (process.getuid?.() !== uid) await handle.chown(uid, gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
    const folder = await open(dirname(file), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new ServiceError('config_invalid', `Cannot write master key ${file}: ${code}`, {
      cause,
      hint: 'Run the command as a user who can write to its folder.',
    });
  }
}

const FILE_MODE = 0o600;
