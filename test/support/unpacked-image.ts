// An OCI image as a runtime would start it, without one: its layers are laid over each other, and its program
// runs there as the image's user, with a root that nobody can write to.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type UnpackedImage = {
  /** Of each layer, compressed. */
  readonly sizes: readonly number[];
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
  /** Calls the image's program; needs root, and mount namespaces. */
  readonly program: string;
};

/** Fails where a digest or a size is not as the image says. */
export function unpackImage(archive: Buffer, folder: string, architecture: string): UnpackedImage {
  const layout = join(folder, 'layout');
  const root = join(folder, 'root');
  for (const place of [layout, root]) mkdirSync(place);
  extract(archive, layout);
  const blob = ({ digest, size }: Blob): Buffer => {
    const content = readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
    assert.equal(digestOf(content), digest);
    assert.equal(content.length, size);
    return content;
  };
  const json = <T>(found: Blob): T => JSON.parse(blob(found).toString()) as T;
  const top = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as Index;
  const { manifests } = json<Index>(top.manifests[0]!);
  const wanted = manifests.find((each) => each.platform?.architecture === architecture);
  assert.ok(wanted !== undefined, `no image for ${architecture}`);
  const { config, layers } = json<{ readonly config: Blob; readonly layers: readonly Blob[] }>(wanted);
  for (const layer of layers) extract(blob(layer), root, '-z');
  const { config: settings } = json<{ readonly config: UnpackedImage['config'] }>(config);
  const program = join(folder, 'doorward-image');
  writeFileSync(program, startScript(root, settings.Env));
  chmodSync(program, 0o755);
  return {
    sizes: layers.map(({ size }) => size),
    config: settings,
    program,
  };
}

function extract(archive: Buffer, into: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync('tar', ['-x', '-p', ...words, '-C', into], { input: archive });
  assert.equal(status, 0, String(stderr));
}

/** What a runtime mounts: the root read-only, /tmp to write to, /proc, and a device or two. */
function startScript(root: string, environment: readonly string[]): string {
  return `#!/bin/sh
exec unshare --mount --propagation private sh -ec '
  root=${root}
  mkdir -p $root/proc $root/dev
  mount --bind $root $root
  mount --rbind /proc $root/proc
  mount --bind /dev $root/dev
  mount -t tmpfs -o mode=1777 tmpfs $root/tmp
  mount -o remount,bind,ro $root
  cd $root
  exec env -i ${environment.join(' ')} $(command -v chroot) --userspec=65532:65532 . /usr/bin/doorward "$@"
' start "$@"
`;
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

type Blob = { readonly digest: string; readonly size: number };
type Index = {
  readonly manifests: readonly (Blob & { readonly platform?: { readonly architecture: string } })[];
};
