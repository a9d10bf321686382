// `GET /.svc/session.js` on every share host: the script that pages may include to warn before their session
// ends (contract 5.2). It is the same for everybody and says nothing of anybody, so it is answered before a
// session is looked for, and may be kept; pages of other origins cannot load it all the same.

import { ServiceError } from '../domain/service-error.ts';
import { shortHash } from '../domain/secret.ts';
import { browserModules } from '../http/browser-modules.ts';
import { hasTag } from '../http/if-none-match.ts';
import { valuesOf } from './flat-headers.ts';
import { sendAnswer } from './refuse.ts';
import type { Visit } from './visit.ts';

export function answerSessionScript(visit: Visit): void {
  const { method, rawHeaders } = visit.exchange;
  if (method !== 'GET' && method !== 'HEAD')
    throw new ServiceError('method_not_allowed', 'Cannot use this method here', {
      extra: { allow: 'GET, HEAD' },
    });
  script ??= readScript();
  const headers = [...HEADERS, ['etag', script.etag] as const];
  if (hasTag(valuesOf(rawHeaders, 'if-none-match'), script.etag))
    sendAnswer(visit, { status: 304, headers, body: null });
  else sendAnswer(visit, { status: 200, headers: [...TYPE, ...headers], body: script.text });
}

type Script = { readonly text: string; readonly etag: string };

let script: Script | null = null;

function readScript(): Script {
  const [file] = browserModules('console/session/main');
  const text = file?.text() ?? '';
  return { text, etag: `"${shortHash(text)}"` };
}

const TYPE = [['content-type', 'text/javascript; charset=utf-8']] as const;
const HEADERS = [
  // An hour after an upgrade every page has the new one.
  ['cache-control', 'public, max-age=3600'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
] as const;
