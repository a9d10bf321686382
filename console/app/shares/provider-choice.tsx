// Chooses the providers that people log in with.

import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { ProviderBoxes } from './provider-boxes.tsx';
import { listOf } from './settings-draft.ts';

type ProviderChoiceProps = {
  readonly label: string;
  readonly help: string | undefined;
  readonly fault: string | undefined;
  /** A name a line; none for no login. */
  readonly providers: string;
  readonly choose: (providers: string) => void;
};

export function ProviderChoice({ providers, choose, ...words }: ProviderChoiceProps) {
  const mayAdd = useMay()('providers.write');
  return (
    <ProviderBoxes {...words} chosen={listOf(providers)} change={choose}>
      {mayAdd && <Link href={hrefTo('providers', '+new')}>Add a provider</Link>}
    </ProviderBoxes>
  );
}
