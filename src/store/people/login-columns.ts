// The login at a provider that a key or a token came from, as the database has it.

import type { ProviderLogin } from '../../domain/provider-ref.ts';
import { flag, isSet } from '../columns.ts';

export type LoginColumns = {
  login_provider: string | null;
  login_generation: string | null;
  login_email_verified: number | null;
};

export function loginColumns(login: ProviderLogin | null): LoginColumns {
  return {
    login_provider: login?.provider ?? null,
    login_generation: login?.generation ?? null,
    login_email_verified: login === null ? null : flag(login.emailVerified),
  };
}

export function loginIn({
  login_provider: provider,
  login_generation: generation,
  login_email_verified: verified,
}: LoginColumns): ProviderLogin | null {
  if (provider === null) return null;
  // No provider has an empty generation: half a login counts for nothing.
  return { provider, generation: generation ?? '', emailVerified: isSet(verified ?? 0) };
}
