// Changes the configuration of a service under test while it runs, as an operator would: the file, then a
// reload.

import { readFile, writeFile } from 'node:fs/promises';
import type { TestService } from './service.ts';

/** `oauth`: over the members of that section. */
export async function configure(
  service: TestService,
  oauth: Readonly<Record<string, string>>,
): Promise<void> {
  const file = JSON.parse(await readFile(service.configFile, 'utf8')) as { readonly oauth: object };
  const changed = { ...file, oauth: { ...file.oauth, ...oauth } };
  await writeFile(service.configFile, JSON.stringify(changed));
  await service.reload();
}
