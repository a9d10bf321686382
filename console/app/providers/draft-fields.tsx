// Fields of a draft by the name of its part, with what the service finds wrong with that part.

import type { ProviderType } from '../../../src/wire/provider.ts';
import { Field } from '../parts/field.tsx';
import { type Faults, faultAt } from '../parts/faults.ts';
import type { Draft } from './provider-draft.ts';

export type FieldsProps = {
  readonly type: ProviderType;
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly faults: Faults;
  /** Whether there is a secret already, which stays when none is typed. */
  readonly keepsSecret: boolean;
};

export function TextField(props: TextFieldProps) {
  const { draft, change, faults, part, label, help, optional = false } = props;
  return (
    <Field label={label} help={help} optional={optional} fault={faultAt(faults, `config.${part}`)}>
      {(control) => (
        <input
          {...control}
          type={props.input ?? 'text'}
          required={props.required ?? false}
          autoComplete={props.autoComplete ?? 'off'}
          spellCheck={false}
          {...(props.input === 'url' ? FILLED_IN : {})}
          value={draft[part]}
          onChange={(event) => change({ [part]: event.target.value })}
        />
      )}
    </Field>
  );
}

/** One thing a line, or a PEM. */
export function LinesField(props: TextFieldProps) {
  const { draft, change, faults, part, label, help, optional = false } = props;
  return (
    <Field label={label} optional={optional} help={help} fault={faultAt(faults, `config.${part}`)}>
      {(control) => (
        <textarea
          {...control}
          required={props.required ?? false}
          autoComplete="off"
          rows={3}
          spellCheck={false}
          value={draft[part]}
          onChange={(event) => change({ [part]: event.target.value })}
        />
      )}
    </Field>
  );
}

export type TextPart = { [Part in keyof Draft]: Draft[Part] extends string ? Part : never }[keyof Draft];
type TextFieldProps = Pick<FieldsProps, 'draft' | 'change' | 'faults'> & {
  readonly part: TextPart;
  readonly label: string;
  readonly help?: string;
  readonly optional?: boolean;
  readonly input?: 'text' | 'url' | 'password';
  readonly required?: boolean;
  readonly autoComplete?: string;
};

/** Of an address from a preset. */
const FILLED_IN = { pattern: '[^\\{\\}]*', title: 'Replace what is in braces.' };
