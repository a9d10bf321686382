// Chooses the providers that people log in with, by their display names, among those that a share can use.

import { Boxes } from '../parts/boxes.tsx';
import { Field } from '../parts/field.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { listOf } from './settings-draft.ts';
import { useProviderTitles } from './use-providers.ts';

type ProviderChoiceProps = {
  readonly label: string;
  readonly help: string | undefined;
  readonly fault: string | undefined;
  /** A name a line; none for no login. */
  readonly providers: string;
  readonly choose: (providers: string) => void;
};

export function ProviderChoice(props: ProviderChoiceProps) {
  // Who may not list them can name some all the same.
  return useMay()('providers.read') ? <KnownProviders {...props} /> : <NamedProviders {...props} />;
}

function KnownProviders({ providers, choose, ...words }: ProviderChoiceProps) {
  const mayAdd = useMay()('providers.write');
  const { choices } = useProviderTitles();
  return (
    <Boxes
      {...words}
      known={choices}
      // One that is gone is shown as what it is.
      unknown={(name) => `${name} (there is no such provider)`}
      chosen={listOf(providers)}
      change={(chosen) => choose(chosen.join('\n'))}
    >
      {mayAdd && <Link href={hrefTo('providers', '+new')}>Add a provider</Link>}
    </Boxes>
  );
}

function NamedProviders({ label, help, fault, providers, choose }: ProviderChoiceProps) {
  return (
    <Field label={label} help={`${help ?? ''} One name per line.`} fault={fault}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          spellCheck={false}
          placeholder="No login"
          value={providers}
          onChange={(event) => choose(event.target.value)}
        />
      )}
    </Field>
  );
}
