// Chooses the provider that people log in with, among those that a share can use.

import type { FieldControl } from '../parts/field.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { useProviders } from './use-providers.ts';

type ProviderChoiceProps = {
  readonly control: FieldControl;
  /** Empty for no login; several are one a line. */
  readonly provider: string;
  readonly choose: (name: string) => void;
};

export function ProviderChoice(props: ProviderChoiceProps) {
  // Who may not list them can name one all the same.
  return useMay()('providers.read') ? <KnownProviders {...props} /> : <NamedProvider {...props} />;
}

function KnownProviders({ control, provider, choose }: ProviderChoiceProps) {
  const mayAdd = useMay()('providers.write');
  const known = useProviders();
  // One that is gone is shown as what it is, instead of another in its place.
  const names = provider === '' || known.includes(provider) ? known : [provider, ...known];
  return (
    <span className="row provider-choice">
      <select {...control} value={provider} onChange={(event) => choose(event.target.value)}>
        <option value="">No login</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name.split('\n').join(' or ')}
          </option>
        ))}
      </select>
      {mayAdd && <Link href={hrefTo('providers', '+new')}>Add a provider</Link>}
    </span>
  );
}

function NamedProvider({ control, provider, choose }: ProviderChoiceProps) {
  return (
    <input
      {...control}
      autoComplete="off"
      spellCheck={false}
      placeholder="No login"
      value={provider}
      onChange={(event) => choose(event.target.value.trim())}
    />
  );
}
