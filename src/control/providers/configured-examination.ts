// What an account learns when it tests a provider of the configuration: whether logins work, and what its
// visitors meet there. Addresses, credentials and what exactly is wrong are the operator's, who has them from
// `doorward doctor`.

import type { Check } from '../../domain/check.ts';
import type { Examination } from '../../providers/examine.ts';

/**
 * Answers null for a name that the configuration does not have. Whoever asks while a provider is examined
 * waits for that examination, so that no account can have a provider of the operator called without end.
 */
export function createConfiguredExaminer<Settings extends { readonly name: string }>(
  configured: readonly Settings[],
  examineNow: (settings: Settings) => Promise<Examination>,
): (name: string) => Promise<Examination | null> {
  const running = new Map<string, Promise<Examination>>();
  return async (name) => {
    const settings = configured.find((each) => each.name === name);
    if (settings === undefined) return null;
    const examination = running.get(name) ?? examineNow(settings).finally(() => void running.delete(name));
    running.set(name, examination);
    return asAccountsSee(await examination);
  };
}

function asAccountsSee(found: Examination): Examination {
  return { ...found, checks: found.checks.map(checkAsAccountsSee) };
}

function checkAsAccountsSee({ name, state, found }: Check): Check {
  const told = TOLD.has(name) ? found : KINDS[state];
  return { name, state, found: told, next: state === 'ok' ? null : ASK };
}

/** A visitor's browser sees these in the address of the login, or they say how logins here are judged. */
const TOLD: ReadonlySet<string> = new Set([
  'PKCE',
  'refresh',
  'verified email',
  'revocation',
  'provider logout',
  'back-channel logout',
]);
const KINDS: Readonly<Record<Check['state'], string>> = {
  ok: 'passed',
  warn: 'warning',
  fail: 'failed',
};
const ASK = 'Ask the operator of this service. `doorward doctor` shows them the details.';
