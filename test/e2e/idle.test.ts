// What a service does while nobody asks for anything.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CountedWakes } from '../support/count-wakes.ts';
import { onEngines } from '../support/on-engines.ts';
import { eventually } from '../support/serve-process.ts';
import { layOutService } from '../support/service-process.ts';

onEngines('an idle service', ({ storeUrl }) => {
  test('serve leaves the data plane asleep while nobody asks: no timer fires there, and no message comes', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'doorward-idle-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const preload = pathToFileURL(join(import.meta.dirname, '../support/count-wakes.ts'));
    preload.searchParams.set('folder', folder);
    const service = await layOutService({
      tls: true,
      storeUrl: await storeUrl(),
      nodeFlags: ['--import', preload.href],
    });
    t.after(service.close);
    await service.start();
    // However slow the machine is, a thread that something wakes twice a second is never quiet for so long.
    let quietSince: CountedWakes | null = null;
    await eventually('the worker sleeps', () => {
      const counted = wakesIn(folder);
      if (counted === null) return false;
      if (quietSince?.wakes !== counted.wakes) quietSince = counted;
      return counted.looks - quietSince.looks >= QUIET_LOOKS;
    });
  });
});

function wakesIn(folder: string): CountedWakes | null {
  const file = readdirSync(folder).find((name) => name.endsWith('.json'));
  return file === undefined ? null : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as CountedWakes);
}

/** Of a tenth of a second each: several polls of the store, and looks of whatever looks once a second. */
const QUIET_LOOKS = 40;
