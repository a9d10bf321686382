// One field of a form: its label, what it is for, and what the service found wrong with it.

import { type ReactNode, useId } from 'react';

export type FieldControl = {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
};

type FieldProps = {
  readonly label: string;
  readonly help?: string | undefined;
  readonly fault?: string | undefined;
  /** Said beside the label, where most other fields must be filled in. */
  readonly optional?: boolean;
  readonly children: (control: FieldControl) => ReactNode;
};

export function Field({ label, help, fault, optional = false, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional && <span className="optional">optional</span>}
      </label>
      {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': fault !== undefined })}
      <p id={`${id}-help`} className="soft">
        {help}
        {fault !== undefined && <strong className="fault"> {fault}</strong>}
      </p>
    </div>
  );
}
