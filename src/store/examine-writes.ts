// Whether a store takes what is written, for `doorward doctor`: rights, room, and a write that is taken back
// at once.

import { accessSync, constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Check, fails, passes, warns } from '../domain/check.ts';
import { randomBytes, randomToken } from '../domain/secret.ts';
import type { Engine } from './engine.ts';
import { troubleOf } from './write-trouble.ts';

export function writableCheck(place: string): Check {
  try {
    accessSync(place, constants.W_OK);
    return passes('writable', 'yes');
  } catch (error) {
    if (isReadOnly(error)) return readOnlyCheck('writable', place);
    return fails(
      'writable',
      `${place} is not writable`,
      'Run the command as the user of the service, or chown it to that user.',
    );
  }
}

/**
 * Rights and free space say too little: of quotas, and of disks that went over to reading, a write alone
 * tells.
 */
export function writeCheck(folder: string): Check {
  const file = join(folder, `.doorward-doctor-${randomToken()}`);
  try {
    writeFileSync(file, randomBytes(PROBE_BYTES), { flag: 'wx', mode: 0o600, flush: true });
    return passes('writes', `${folder} is writable`);
  } catch (error) {
    if (isReadOnly(error)) return readOnlyCheck('writes', folder);
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (FULL.has(code))
      return fails(
        'writes',
        `the disk of ${folder} is full (${code})`,
        'Free up space. Nobody can log in until then.',
      );
    return fails(
      'writes',
      `${folder} is not writable (${code})`,
      'Allow the user of the service to write to this folder.',
    );
  } finally {
    rmSync(file, { force: true });
  }
}

export function roomCheck(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder);
  const megabytes = Math.floor((Number(bavail) * Number(bsize)) / 1_000_000);
  if (megabytes >= LEAST_FREE_MB) return passes('room', `${megabytes} MB free`);
  return warns('room', `${megabytes} MB free`, 'Free up space. Without space for writes, logins fail.');
}

/**
 * A table that is never kept: it takes room on the disk, as what the service writes does, and is gone with
 * its transaction.
 */
export async function serverWriteCheck(engine: Engine): Promise<Check> {
  try {
    await engine.transact(async (db) => {
      await sql`CREATE TEMPORARY TABLE doorward_doctor (data text) ON COMMIT DROP`.execute(db);
      await sql`INSERT INTO doorward_doctor SELECT md5(n::text) FROM generate_series(1, 1000) AS n`.execute(
        db,
      );
    });
    return passes('writes', 'the server accepts writes');
  } catch (error) {
    const reason = troubleOf(error);
    if (reason === 'disk_full')
      return fails(
        'writes',
        'the disk of the server is full',
        'Free up space. Nobody can log in until then.',
      );
    if (reason === 'read_only')
      return fails(
        'writes',
        'the server is read-only',
        'Set store.url to the primary, and allow writes to the database.',
      );
    const found = error instanceof Error ? error.message : 'an unknown error';
    return warns(
      'writes',
      `a temporary table cannot be written: ${found}`,
      'Test a login, or allow this user to create temporary tables.',
    );
  }
}

function isReadOnly(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EROFS';
}

function readOnlyCheck(name: string, place: string): Check {
  return fails(
    name,
    `the disk of ${place} is read-only`,
    'Mount it for writing. The system log says why it is read-only.',
  );
}

/** Out of space, and out of what the user may have. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** More than a block, and random, so that no file system packs it into nothing. */
const PROBE_BYTES = 64 * 1024;
/** A busy service writes some MB of log between two checkpoints. */
const LEAST_FREE_MB = 200;
