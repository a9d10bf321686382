// The shared libraries that the executable is linked with, as Debian has them: downloaded by apt into a
// folder, for any architecture, without a change to this machine's own packages.

import { spawnSync } from 'node:child_process';
import {
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../archive/tar.ts';
import { ARCHITECTURES } from '../deb/build.ts';
import type { Platform } from '../executable/node-program.ts';

export type Libraries = {
  readonly entries: readonly Entry[];
  readonly packages: readonly DebianPackage[];
};
export type DebianPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly copyright: string;
};

/** Packages are kept in `kept`, and taken from there the next time. Throws with what apt said. */
export function libraries(platform: Platform, kept: string): Libraries {
  const architecture = ARCHITECTURES[platform];
  const folder = join(kept, architecture);
  mkdirSync(folder, { recursive: true });
  if (globSync('*.deb', { cwd: folder }).length < PACKAGES.length) download(architecture, folder);
  const laid = mkdtempSync(join(tmpdir(), 'doorward-libraries-'));
  try {
    const packages = PACKAGES.map((name) => {
      const [file = ''] = globSync(`${name}_*.deb`, { cwd: folder });
      const version = run('dpkg-deb', ['--field', join(folder, file), 'Version']).trim();
      run('dpkg-deb', ['--extract', join(folder, file), laid]);
      return { name, version, architecture, copyright: copyrightOf(laid, name) };
    });
    return { entries: entriesOf(laid), packages };
  } finally {
    rmSync(laid, { recursive: true, force: true });
  }
}

function entriesOf(laid: string): readonly Entry[] {
  return globSync(LIBRARIES, { cwd: laid }).flatMap((path): readonly Entry[] => {
    const place = join(laid, path);
    const found = lstatSync(place);
    if (found.isSymbolicLink()) return [{ kind: 'link', path, mode: 0o777, target: readlinkSync(place) }];
    return found.isFile() ? [{ kind: 'file', path, mode: 0o755, content: readFileSync(place) }] : [];
  });
}

function copyrightOf(laid: string, name: string): string {
  const [file = ''] = globSync(`usr/share/doc/{${name},gcc-*-base}/copyright`, { cwd: laid })
    .toSorted()
    .toReversed();
  return readFileSync(join(laid, file), 'utf8');
}

/** With lists of its own: those of this machine know no other architecture. */
function download(architecture: string, folder: string): void {
  const state = mkdtempSync(join(tmpdir(), 'doorward-apt-'));
  try {
    for (const place of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(state, place), { recursive: true });
    writeFileSync(join(state, 'status'), '');
    const options = [
      `Dir::State::Lists=${state}/lists`,
      `Dir::State::status=${state}/status`,
      `Dir::Cache=${state}/cache`,
      `APT::Architecture=${architecture}`,
      `APT::Architectures::=${architecture}`,
      'APT::Sandbox::User=root',
      // Without a network it says so, instead of trying for minutes.
      'Acquire::http::Timeout=20',
      'Acquire::Retries=1',
    ].flatMap((option) => ['-o', option]);
    run('apt-get', [...options, '-qq', 'update'], folder);
    const names = PACKAGES.map((name) => `${name}:${architecture}`);
    run('apt-get', [...options, '-qq', 'download', ...names], folder);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

function run(command: string, words: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`Cannot run ${command} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

const PACKAGES = ['gcc-12-base', 'libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** Without converters of character sets: Node brings its own. */
const LIBRARIES = ['{,usr/}lib/*-linux-gnu/*.so*', '{,usr/}lib64/*.so*', '{,usr/}lib/*.so*'];
