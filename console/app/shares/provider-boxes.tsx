// Some of the providers that a share can use, chosen by their display names.

import type { ReactNode } from 'react';
import { Boxes } from '../parts/boxes.tsx';
import { Field } from '../parts/field.tsx';
import { useMay } from '../shell/session-context.ts';
import { useProviderTitles } from '../parts/use-providers.ts';

type ProviderBoxesProps = {
  readonly label: string;
  readonly help: string | undefined;
  readonly fault: string | undefined;
  /** As they are typed, a name a line. */
  readonly lines: string;
  readonly chosen: readonly string[];
  readonly change: (lines: string) => void;
  /** Shown where names are typed and there are none. */
  readonly placeholder?: string;
  /** Beside the boxes. */
  readonly children?: ReactNode;
};

export function ProviderBoxes(props: ProviderBoxesProps) {
  const { label, help, fault, chosen, change, children } = props;
  const mayList = useMay()('providers.read');
  const { choices } = useProviderTitles();
  // Who may not list them can name some all the same.
  if (!mayList) return <NamedProviders {...props} />;
  return (
    <Boxes
      label={label}
      help={help}
      fault={fault}
      known={choices}
      // One that is gone is shown as what it is.
      unknown={(name) => `${name} (there is no such provider)`}
      chosen={chosen}
      change={(names) => change(names.join('\n'))}
    >
      {children}
    </Boxes>
  );
}

function NamedProviders({ label, help, fault, lines, change, placeholder }: ProviderBoxesProps) {
  return (
    <Field label={label} help={`${help ?? ''} One name per line.`} fault={fault}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          spellCheck={false}
          placeholder={placeholder}
          value={lines}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  );
}
