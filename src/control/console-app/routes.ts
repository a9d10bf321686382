// GET /console and what lies below: the console's page for every address of its own, and its files. All of it
// is public; what it shows comes from the API, which asks who is there.

import { ServiceError } from '../../domain/service-error.ts';
import { GUARD_HEADERS, scriptedPolicy } from '../../http/content-security.ts';
import { requireOwnHost } from '../console/own-page.ts';
import type { ControlApi, ControlDeps } from '../control-deps.ts';
import { type AppFile, readAppFiles } from './app-files.ts';

export function addConsoleApp(api: ControlApi, { settings }: Pick<ControlDeps, 'settings'>): void {
  const files = readAppFiles();
  api.get('/console/assets/:name', (c) => {
    requireOwnHost(c.req, settings().console.publicUrl);
    const file = files?.find(`assets/${c.req.param('name')}`);
    if (file === undefined) throw new ServiceError('not_found', `Cannot find ${c.req.path}`);
    return fileResponse(file, /\bbr\b/.test(c.req.header('accept-encoding') ?? ''));
  });
  const page = () => {
    if (files === null)
      throw new ServiceError('not_found', 'Cannot show the console: it is not built', {
        hint: 'Run "npm run build" in the folder of the program, then restart the service.',
      });
    return new Response(files.page, { headers: PAGE_HEADERS });
  };
  api.get('/', (c) => c.redirect('/console/'));
  for (const path of ['/console', '/console/*'])
    api.get(path, (c) => {
      requireOwnHost(c.req, settings().console.publicUrl);
      return page();
    });
}

function fileResponse({ type, bytes, packed }: AppFile, mayPack: boolean): Response {
  const chosen = mayPack ? packed : null;
  return new Response(new Uint8Array(chosen ?? bytes), {
    headers: {
      'content-type': type,
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      ...(chosen === null ? {} : { 'content-encoding': 'br' }),
    },
  });
}

const PAGE_HEADERS: [string, string][] = [
  ['content-type', 'text/html; charset=utf-8'],
  ['content-security-policy', scriptedPolicy(["'self'", 'data:'])],
  ['cross-origin-opener-policy', 'same-origin'],
  ...GUARD_HEADERS.map(([name, value]): [string, string] => [name, value]),
];
