// A browser sets out to log in at the control plane: what is sealed for the OAuth frontend, and bound to this
// browser by a cookie.

import { randomToken, shortHash } from '../../domain/secret.ts';
import { type ConsoleRequest, sealConsoleRequest } from '../../login/console-target.ts';
import { loginUrl } from '../../login/login-url.ts';
import type { ControlDeps } from '../control-deps.ts';
import { consoleCookie, readConsoleCookie } from './console-settings.ts';

export type SetOut = { readonly url: string; readonly bindingCookie: string };

/** `cookie` is the browser's header. */
export function setOut(
  { settings, now }: Pick<ControlDeps, 'settings' | 'now'>,
  cookie: string | undefined,
  input: Omit<ConsoleRequest, 'kind' | 'bindingHash' | 'expiresAt'>,
): SetOut {
  const { console: known, endpointUrl } = settings();
  const binding = readConsoleCookie(known, 'svc-control-bind', cookie) ?? randomToken();
  const request = sealConsoleRequest(known.seal, {
    ...input,
    kind: 'console',
    bindingHash: shortHash(binding),
    expiresAt: now() + known.intermediateLifetimeMs,
  });
  // As long as the request and the attempt that it leads to can last.
  const maxAgeSeconds = Math.ceil((2 * known.intermediateLifetimeMs + MINUTE_MS) / 1000);
  const bindingCookie = consoleCookie(known, { name: 'svc-control-bind', value: binding, maxAgeSeconds });
  return { url: loginUrl(endpointUrl, input.providerName, request), bindingCookie };
}

const MINUTE_MS = 60_000;
