// The login in a browser (RFC 8628): shows an address and a code, and waits until a member has typed the code
// there. The browser may be on another device than this.

import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { renderUnicodeCompact } from 'uqr';
import type { DeviceCodes, OAuthCalls } from '../../client/oauth-calls.ts';
import type { KeyScope } from '../../domain/role.ts';
import type { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { plain, type Terminal } from '../terminal.ts';

export type DeviceLoginInput = {
  readonly scope: KeyScope;
  readonly qr: boolean;
  /** Standard output is for the answer alone. */
  readonly json: boolean;
};

/**
 * The API key that was made. Throws `access_denied` when the login was denied, `request_expired` when nobody
 * confirmed it.
 */
export async function logInByDevice(
  calls: OAuthCalls,
  terminal: Terminal,
  input: DeviceLoginInput,
): Promise<Secret> {
  const codes = await calls.begin({ device: hostname(), scope: input.scope });
  tell(terminal, codes, input);
  return waitFor(calls, codes);
}

function tell(terminal: Terminal, codes: DeviceCodes, { qr, json }: DeviceLoginInput): void {
  const url = plain(codes.verificationUri);
  const show = json ? terminal.err : terminal.out;
  show(`${url}\n`);
  if (qr) show(`\n${renderUnicodeCompact(url)}\n`);
  const minutes = Math.round(codes.expiresInMs / 60_000);
  terminal.err(
    `\nOpen this address in a browser, on any device, and type the code there:\n\n  ${plain(codes.userCode)}\n\n` +
      `Waiting up to ${minutes} minutes. Ctrl+C cancels.\n`,
  );
}

async function waitFor(
  calls: OAuthCalls,
  { deviceCode, expiresInMs, intervalMs }: DeviceCodes,
): Promise<Secret> {
  const endsAt = performance.now() + expiresInMs;
  let waitMs = intervalMs;
  for (;;) {
    await pause(waitMs);
    if (performance.now() >= endsAt) throw expired();
    const answer = await calls.poll(deviceCode).catch(passing);
    if (answer === null || answer.kind === 'slow_down') waitMs += SLOWER_MS;
    else if (answer.kind === 'allowed') return answer.apiKey;
    else if (answer.kind === 'denied')
      throw new ServiceError('access_denied', 'Cannot log in: the login was denied in the console');
    else if (answer.kind === 'expired') throw expired();
  }
}

/** A service that is away for a moment is waited for, and asked less often (RFC 8628 section 3.5). */
function passing(error: unknown): null {
  if (error instanceof ServiceError && PASSING.has(error.code)) return null;
  throw error;
}

function expired(): ServiceError {
  return new ServiceError('request_expired', 'Cannot log in: the login was not confirmed in time', {
    hint: 'Run the command again, and type the new code in the console.',
  });
}

const SLOWER_MS = 5_000;
const PASSING: ReadonlySet<string> = new Set([
  'control_unreachable',
  'store_unavailable',
  'rate_limited',
  'draining',
]);
