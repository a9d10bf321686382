// Writes docs/reference/ from what the program itself knows: its commands, its configuration, its table of
// faults, its metrics and the schemas of its API; and the part about usual products of the guide for OpenID
// Connect.
// `--check` writes nothing, and fails when a document is not as it would be written.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationDocument } from './reference/configuration.ts';
import { commandsDocument } from './reference/commands.ts';
import { errorsDocument } from './reference/errors.ts';
import { metricsDocument } from './reference/metrics.ts';
import { withPresets } from './reference/presets.ts';
import { stateFileDocument } from './reference/state-file.ts';
import { openApiDocument } from '../src/control/openapi.ts';

const folder = join(import.meta.dirname, '../docs/reference');
/** Of which a part is written here. */
const GUIDE = '../how-to/openid-connect.md';
const documents: Readonly<Record<string, string>> = {
  'commands.md': commandsDocument(),
  'configuration.md': configurationDocument(),
  'errors.md': errorsDocument(),
  'state-file.md': stateFileDocument(),
  'metrics.md': metricsDocument(),
  [GUIDE]: withPresets(readFileSync(join(folder, GUIDE), 'utf8')),
  'openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
};

if (process.argv.includes('--check')) process.exitCode = check();
else write();

function write(): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
}

function check(): number {
  const stale = Object.entries(documents).filter(([name, text]) => text !== readOrNull(join(folder, name)));
  for (const [name] of stale)
    process.stderr.write(`error: ${join('docs/reference', name)} is out of date\nhint: run "npm run docs"\n`);
  return stale.length === 0 ? 0 : 1;
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
