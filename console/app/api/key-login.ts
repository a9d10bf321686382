// The two ways in: the identity providers there are, and an API key, which is sent once and kept nowhere.

import { ServiceError, FAULTS, type FaultCode } from '../../../src/domain/service-error.ts';

export type LoginWay = { readonly name: string; readonly displayName: string };

export async function readLoginWays(): Promise<readonly LoginWay[]> {
  const response = await fetch('/auth/providers', { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return ((await response.json()) as { readonly providers: readonly LoginWay[] }).providers;
}

/** Throws a `ServiceError` that says what is wrong with the key. */
export async function logInWithKey(apiKey: string): Promise<void> {
  const response = await fetch('/auth/key', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey }),
    credentials: 'same-origin',
  });
  if (!response.ok) throw problemIn((await response.json()) as Problem);
}

type Problem = { readonly code?: string; readonly detail?: string; readonly hint?: string };

function problemIn({ code, detail, hint }: Problem): ServiceError {
  const known: FaultCode = code !== undefined && code in FAULTS ? (code as FaultCode) : 'internal';
  return new ServiceError(
    known,
    detail ?? 'The service did not say why.',
    hint === undefined ? {} : { hint },
  );
}
