// The licenses of what is delivered with the program: every dependency that is not for development alone, as
// the lock file has it.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Dependency = {
  readonly name: string;
  readonly version: string;
  /** As its package says it: an SPDX expression. */
  readonly license: string;
  /** `sha512-…`, as the lock file has it. */
  readonly integrity: string;
  /** From the root. */
  readonly folder: string;
};

/** By name and version. Throws for one that names no license. */
export function deliveredDependencies(root: string): readonly Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  return Object.entries(packages)
    .flatMap(([folder, { dev, version = '', license, integrity = '' }]) => {
      if (folder === '' || dev === true) return [];
      const name = folder.slice(folder.lastIndexOf(MODULES) + MODULES.length);
      if (license === undefined) throw new Error(`Cannot list the licenses: ${folder} names none`);
      return [{ name, version, license, integrity, folder }];
    })
    .toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Every license in full, as its package carries it. */
export function licensesText(root: string): string {
  const parts = deliveredDependencies(root).map(({ name, version, license, folder }) => {
    const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: join(root, folder) }).toSorted();
    const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

type LockFile = {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly license?: string;
        readonly integrity?: string;
        readonly dev?: boolean;
      }
    >
  >;
};

const MODULES = 'node_modules/';
