// Files that take the place of others in one step: whole on the disk before they have their name, and with
// the mode, the owner and the group of what they replace.

import { chmod, chown, link, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '../../../domain/service-error.ts';

export type Standing = { readonly mode: number; readonly uid: number; readonly gid: number };

/** Null when there is no such file. */
export async function standingOf(file: string): Promise<Standing | null> {
  try {
    const { mode, uid, gid } = await stat(file);
    return { mode: mode & 0o7777, uid, gid };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Throws `usage` where a file that this process writes could not be given to the owner and group of the one
 * that is there.
 */
export async function requireOwnable(file: string): Promise<void> {
  const there = await standingOf(file);
  const euid = process.geteuid?.() ?? 0;
  if (there === null || euid === 0) return;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  if (there.uid === euid && groups.includes(there.gid)) return;
  throw new ServiceError('usage', `Cannot replace ${file}: it belongs to another user or group`, {
    hint: 'Run this as the owner of the file, with its group, or as root.',
  });
}

/** Writes the file whole, in the place of what may be there. */
export async function writeWhole(file: string, text: string, standing: Standing | null): Promise<void> {
  const part = await writePart(file, text);
  if (standing !== null) await takeStanding(part, standing);
  await rename(part, file);
  await syncFolder(file);
}

/** Writes it for its owner alone, unless it is there: then what is there stays. */
export async function writeUnlessThere(file: string, text: string): Promise<void> {
  const part = await writePart(file, text);
  try {
    // Unlike renaming, this replaces nothing that another process wrote meanwhile.
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // A file system without hard links.
      await rename(part, file);
    }
  }
  await rm(part, { force: true });
  await syncFolder(file);
}

/** Gives the file the name and the standing of the other, whose content is gone with that. */
export async function putInPlace(file: string, of: string): Promise<void> {
  const standing = await standingOf(of);
  if (standing !== null) await takeStanding(file, standing);
  await rename(file, of);
  await syncFolder(of);
}

async function writePart(file: string, text: string): Promise<string> {
  const part = `${file}.${process.pid}`;
  await rm(part, { force: true });
  await writeFile(part, text, { mode: 0o600, flag: 'wx', flush: true });
  return part;
}

async function takeStanding(file: string, { mode, uid, gid }: Standing): Promise<void> {
  const now = await stat(file);
  if (now.uid !== uid || now.gid !== gid) await chown(file, uid, gid);
  await chmod(file, mode);
}

/**
 * A name is on the disk when its folder is; else a power cut could bring back an old key beside a new
 * certificate.
 */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } catch {
    // Some network file systems cannot; nothing more can be done there.
  } finally {
    await folder.close();
  }
}
