// Something that is on or off, what it is for, and the switch.

import { Switch } from '@base-ui/react/switch';
import { useId } from 'react';

type SwitchFieldProps = {
  readonly label: string;
  readonly help?: string;
  readonly on: boolean;
  readonly change: (on: boolean) => void;
  readonly disabled?: boolean;
};

export function SwitchField({ label, help, on, change, disabled = false }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="switch-field">
      <div>
        <span className="label" id={id}>
          {label}
        </span>
        {help !== undefined && <p id={`${id}-help`}>{help}</p>}
      </div>
      <Switch.Root
        className="switch"
        checked={on}
        onCheckedChange={(checked) => change(checked)}
        disabled={disabled}
        aria-labelledby={id}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        nativeButton
        render={<button type="button" />}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  );
}
