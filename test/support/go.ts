// Whether the Go of this machine builds the examples.

import { spawnSync } from 'node:child_process';

/** Why not, for `skip`; false when it does. */
export const NO_GO: string | false = /go1\.(?:2[2-9]|[3-9]\d)/.test(
  spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '',
)
  ? false
  : 'go 1.22 or newer is not installed';
