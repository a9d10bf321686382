// Examines a provider of the configuration, which is the operator's word: the addresses that it names are not
// limited.

import type { ProviderSettings } from '../domain/provider-settings.ts';
import { createDialler } from './dialler.ts';
import { type ExamineDeps, type Examination, examineProvider } from './examine.ts';

/** Never rejects for what the provider does. */
export function examineConfigured(
  settings: ProviderSettings,
  deps: Omit<ExamineDeps, 'fetch'>,
): Promise<Examination> {
  const { fetch } = createDialler({
    allow: 'operator',
    ownListeners: [],
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
  });
  return examineProvider(settings, { ...deps, fetch });
}
