// An OCI image (image-spec 1.1) of the executable, made without a daemon: two layers, the shared libraries
// and the program, and nothing else: no shell, no package manager. The same input gives the same digest.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';
import { type Entry, tar, withFolders } from '../archive/tar.ts';
import { ARCHITECTURES } from '../deb/build.ts';
import type { Platform } from '../executable/node-program.ts';

export type PlatformImage = {
  readonly platform: Platform;
  readonly executable: string;
  readonly libraries: readonly Entry[];
};

export type ImageOptions = {
  readonly version: string;
  readonly images: readonly PlatformImage[];
  /** zlib's; the best unless said. */
  readonly level?: number;
};

/** The image as an archive (`oci-archive:`), and the digest of its index. */
export function buildImage({ version, images, level }: ImageOptions): {
  readonly archive: Buffer;
  readonly digest: string;
} {
  const blobs = new Map<string, Buffer>();
  const add = (mediaType: string, content: Buffer): Descriptor => {
    const digest = digestOf(content);
    blobs.set(digest, content);
    return { mediaType, digest, size: content.length };
  };
  const addJson = (mediaType: string, value: object) => add(mediaType, text(value));
  const manifests = images.map(({ platform, executable, libraries }) => {
    const layers = [libraries, programLayer(executable)].map((entries) => tar(withFolders(entries)));
    const architecture = ARCHITECTURES[platform];
    const config = addJson(TYPES.config, {
      architecture,
      os: 'linux',
      config: { ...CONFIG, Labels: { ...LABELS, 'org.opencontainers.image.version': version } },
      rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
      history: [{ created_by: 'shared libraries' }, { created_by: 'doorward' }],
    });
    const manifest = addJson(TYPES.manifest, {
      schemaVersion: 2,
      mediaType: TYPES.manifest,
      config,
      layers: layers.map((layer) =>
        add(TYPES.layer, gzipSync(layer, { level: level ?? constants.Z_BEST_COMPRESSION })),
      ),
    });
    return { ...manifest, platform: { architecture, os: 'linux' } };
  });
  const index = addJson(TYPES.index, { schemaVersion: 2, mediaType: TYPES.index, manifests });
  const top = { ...index, annotations: { 'org.opencontainers.image.ref.name': `doorward:${version}` } };
  const files: readonly Entry[] = [
    file('oci-layout', text({ imageLayoutVersion: '1.0.0' })),
    file('index.json', text({ schemaVersion: 2, mediaType: TYPES.index, manifests: [top] })),
    ...[...blobs].map(([digest, content]) => file(`blobs/${digest.replace(':', '/')}`, content)),
  ];
  return { archive: tar(withFolders(files)), digest: index.digest };
}

type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number };

/** Root owns all of it; the user of the program can write only where something is mounted, and to /tmp. */
function programLayer(executable: string): readonly Entry[] {
  const folder = { kind: 'folder', mode: 0o700, owner: USER } as const;
  return [
    file('usr/bin/doorward', readFileSync(executable), 0o755),
    file(
      'etc/passwd',
      Buffer.from(`root:x:0:0::/:/none\ndoorward:x:${USER}:${USER}::/var/lib/doorward:/none\n`),
    ),
    file('etc/group', Buffer.from(`root:x:0:\ndoorward:x:${USER}:\n`)),
    file('etc/nsswitch.conf', Buffer.from('passwd: files\ngroup: files\nhosts: files dns\n')),
    { ...folder, path: 'etc/doorward' },
    { ...folder, path: 'var/lib/doorward' },
    { kind: 'folder', path: 'tmp', mode: 0o1777 },
  ];
}

function file(path: string, content: Buffer, mode = 0o644): Entry {
  return { kind: 'file', path, mode, content };
}

function text(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** The `nonroot` user of other images without a shell. */
const USER = 65_532;
const CONFIG = {
  User: `${USER}:${USER}`,
  Env: ['PATH=/usr/bin', 'HOME=/var/lib/doorward'],
  Entrypoint: ['/usr/bin/doorward'],
  Cmd: ['serve', '--config', '/etc/doorward/doorward.yaml'],
  WorkingDir: '/var/lib/doorward',
  StopSignal: 'SIGTERM',
  // Beyond the specification: Docker reads it. Podman is told by compose.yaml, or an option.
  Healthcheck: {
    Test: ['CMD', '/usr/bin/doorward', 'health', '--config', '/etc/doorward/doorward.yaml'],
    Interval: 10e9,
    Timeout: 5e9,
    StartPeriod: 10e9,
    Retries: 3,
  },
};
const LABELS = {
  'org.opencontainers.image.title': 'doorward',
  'org.opencontainers.image.description': 'A self-hosted access gateway',
  'org.opencontainers.image.licenses': 'Apache-2.0',
};
const TYPES = {
  config: 'application/vnd.oci.image.config.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
};
