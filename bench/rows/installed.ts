// The executable, which is what people download: how soon it listens and what it takes at rest, with a new
// store and with many shares. All else is measured of the checkout, which reads its files one by one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutables } from '../../scripts/executable/build.ts';
import { platformsNamed } from '../../scripts/executable/node-program.ts';
import { startDoorward } from '../proxies/doorward.ts';
import type { Size } from '../size.ts';

export type InstalledMeasures = { readonly fresh: Installed; readonly many: Installed };

export type Installed = {
  /** From start to the first accepted connection, one for each start. */
  readonly startsMs: readonly number[];
  /** Resident memory a moment after its start, before any visitor. */
  readonly idleMb: number;
};

export async function measureInstalled(size: Size, backendPort: number): Promise<InstalledMeasures> {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-bench-'));
  try {
    const root = join(import.meta.dirname, '../..');
    const platforms = platformsNamed([`${process.platform}-${process.arch}`]);
    const [program = ''] = await buildExecutables(root, folder, platforms);
    const measure = async (shares: number): Promise<Installed> => {
      const doorward = await startDoorward({
        backendPort,
        visitors: 0,
        shares,
        starts: size.starts,
        program,
      });
      await doorward.close();
      const { startsMs, idleMb } = doorward;
      return { startsMs, idleMb };
    };
    return { fresh: await measure(2), many: await measure(size.shares) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
