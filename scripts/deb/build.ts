// A Debian package of the executable and its systemd units, made without Debian's tools (deb(5)).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import nodePackage from '../../node_modules/node/package.json' with { type: 'json' };
import { ar } from '../archive/ar.ts';
import { type Entry, tar, withFolders } from '../archive/tar.ts';
import type { Platform } from '../executable/node-program.ts';
import { licensesText } from '../package/licenses.ts';

export type DebOptions = {
  /** The repository's folder. */
  readonly root: string;
  readonly platform: Platform;
  /** Of that platform. */
  readonly executable: string;
  readonly version: string;
  /** zlib's; the best unless said. */
  readonly level?: number;
};

/** `doorward_0.1.0_amd64.deb` */
export function debName(version: string, platform: Platform): string {
  return `doorward_${version}_${ARCHITECTURES[platform]}.deb`;
}

export function buildDeb({ root, platform, executable, version, level }: DebOptions): Buffer {
  const unit = (name: string) => readFileSync(join(root, 'deploy/systemd', name));
  const files = [
    file('usr/bin/doorward', readFileSync(executable), 0o755),
    file('usr/lib/systemd/system/doorward.service', unit('doorward.service')),
    file('usr/lib/systemd/system/doorward-agent.service', unit('doorward-agent.service')),
    file('usr/lib/sysusers.d/doorward.conf', unit('doorward.sysusers')),
    file('usr/lib/tmpfiles.d/doorward.conf', unit('doorward.tmpfiles')),
    file('usr/share/doc/doorward/copyright', readFileSync(join(root, 'LICENSE'))),
    file(
      'usr/share/doc/doorward/THIRD-PARTY-LICENSES',
      Buffer.from(`${licensesText(root)}\n${NODE_LICENSE}`),
    ),
  ];
  const sums = files.map(
    ({ path, content }) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`,
  );
  const kib = Math.ceil(files.reduce((sum, { content }) => sum + content.length, 0) / 1024);
  const control = [
    file('control', Buffer.from(controlText({ version, platform, kib }))),
    file('md5sums', Buffer.from(sums.join(''))),
    file('postinst', Buffer.from(POSTINST), 0o755),
    file('prerm', Buffer.from(PRERM), 0o755),
    file('postrm', Buffer.from(POSTRM), 0o755),
  ];
  const packed = (entries: readonly Entry[]) =>
    gzipSync(tar(withFolders(entries), { prefix: './' }), { level: level ?? constants.Z_BEST_COMPRESSION });
  return ar([
    { name: 'debian-binary', content: Buffer.from('2.0\n') },
    { name: 'control.tar.gz', content: packed(control) },
    { name: 'data.tar.gz', content: packed(files) },
  ]);
}

function file(path: string, content: Buffer, mode = 0o644) {
  return { kind: 'file' as const, path, mode, content };
}

function controlText(of: {
  readonly version: string;
  readonly platform: Platform;
  readonly kib: number;
}): string {
  return `Package: doorward
Version: ${of.version}
Architecture: ${ARCHITECTURES[of.platform]}
Maintainer: The Doorward authors <doorward@localhost>
Installed-Size: ${of.kib}
Depends: libc6 (>= 2.28), libstdc++6 (>= 9), libgcc-s1, libatomic1, passwd
Section: net
Priority: optional
Description: self-hosted access gateway
 Publishes what you run at a public address, behind a login at an identity
 provider, a client certificate, or both. The backend receives the visitor's
 identity in headers that it can trust.
`;
}

/** Its packages carry no copy of its own license. */
const NODE_LICENSE = `Node.js ${nodePackage.version} (MIT, and those of what it contains)\n
https://github.com/nodejs/node/blob/v${nodePackage.version}/LICENSE\n`;

/** The users and folders are there before a service is; without systemd, such as in a container, too. */
const POSTINST = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if command -v systemd-sysusers >/dev/null && command -v systemd-tmpfiles >/dev/null; then
    systemd-sysusers doorward.conf
    systemd-tmpfiles --create doorward.conf
  else
    for name in doorward doorward-agent; do
      getent passwd "$name" >/dev/null || useradd --system --user-group --no-create-home \\
        --home-dir "/var/lib/$name" --shell /usr/sbin/nologin "$name"
      install -d -m 0700 -o "$name" -g "$name" "/etc/$name"
    done
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart doorward.service doorward-agent.service
  fi
fi
`;

const PRERM = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now doorward.service doorward-agent.service
fi
`;

/** Configuration, keys and database stay: without their keys, backups could not be read. */
const POSTRM = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`;

export const ARCHITECTURES: Readonly<Record<Platform, string>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
};
