// A provider by the name that people know, wherever something names one.

import { useProviderTitles } from './use-providers.ts';

type ProviderNameProps = { readonly name: string };

export function ProviderName({ name }: ProviderNameProps) {
  return useProviderTitles().titleOf(name);
}

/** Below somebody's address: where they logged in. */
export function ByProvider({ name }: ProviderNameProps) {
  return (
    <span className="under">
      by <ProviderName name={name} />
    </span>
  );
}
