// `npm run build`, and what npm runs after an install: builds the console into console/dist. Plain
// JavaScript, since an install without development dependencies brings neither Vite nor the Node that runs
// TypeScript; it leaves the console as it is, and says so.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

async function prepare() {
  const vite = await import('vite').catch(noVite);
  if (vite === null) {
    const built = existsSync(join(root, 'console/dist/index.html'));
    process.stderr.write(
      built
        ? 'The console stays as it was built: Vite, a development dependency, is not here to build it anew.\n'
        : 'The console is not built: that takes Vite, a development dependency. The service runs without it; "npm ci && npm run build" brings it.\n',
    );
    return;
  }
  await vite.build({ configFile: join(root, 'console/app/vite.config.ts'), logLevel: 'warn' });
}

/** @param {unknown} error */
function noVite(error) {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
  throw error;
}

await prepare();
