// The field for what the gateway reaches.

import { Field } from '../parts/field.tsx';

type TargetFieldProps = {
  /** As it was typed; `typedTarget()` makes a target of it. */
  readonly target: string;
  readonly set: (target: string) => void;
  readonly fault: string | undefined;
};

export function TargetField({ target, set, fault }: TargetFieldProps) {
  return (
    <Field
      label="Target"
      help="What the gateway reaches: http://10.0.0.5:8080, h2c://10.0.0.5:50051 for gRPC, or 3000 for a port of its own machine."
      fault={fault}
    >
      {(control) => (
        <input
          {...control}
          required
          autoComplete="off"
          inputMode="url"
          spellCheck={false}
          value={target}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Field>
  );
}
