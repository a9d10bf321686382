// A renewal with a new key in a process of its own, which kills itself before the given step on the disk. Run
// as a program: its argument is `{ files, step }`; `made.key` and `made.cert` in the folder are the new key
// and what it gets.

import { readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import type { HeldFiles } from '../../src/cli/certificates/renewal/certificate-files.ts';

const { files, step } = JSON.parse(process.argv[2] ?? '') as { files: HeldFiles; step: number };
const folder = dirname(files.key);
const [key, certificate] = ['made.key', 'made.cert'].map((name) => readFileSync(join(folder, name), 'utf8'));

let steps = 0;
for (const name of ['writeFile', 'rename', 'link', 'rm', 'chmod', 'chown', 'open'] as const) {
  const real = fs[name] as (...given: unknown[]) => Promise<unknown>;
  Object.assign(fs, {
    [name]: (...given: unknown[]) => {
      if (++steps === step) {
        // Half of a file is there, as when the machine goes down in the middle.
        if (name === 'writeFile') writeFileSync(String(given[0]), String(given[1]).slice(0, 100));
        process.kill(process.pid, 'SIGKILL');
      }
      return real(...given);
    },
  });
}
syncBuiltinESMExports();

const { replace } = await import('../../src/cli/certificates/renewal/certificate-files.ts');
const { writeUnlessThere } = await import('../../src/cli/certificates/renewal/placed-file.ts');
// What `nextKey()` does, with the key that the certificate is for.
await writeUnlessThere(`${files.key}.next`, key ?? '');
writeFileSync(join(folder, 'certified'), '');
await replace(files, {
  certificate: certificate ?? '',
  chain: readFileSync(files.chain ?? '', 'utf8'),
});
