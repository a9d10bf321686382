// Some of few, each with a box: any number of them.

import { type ReactNode, useId, useState } from 'react';

export type BoxChoice = { readonly value: string; readonly title: string };

type BoxesProps = {
  readonly label: string;
  readonly help?: string | undefined;
  readonly fault?: string | undefined;
  readonly known: readonly BoxChoice[];
  /** What is chosen and not known is shown as what it is. */
  readonly unknown: (value: string) => string;
  /** In the order in which they were chosen. */
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
  /** Beside the boxes. */
  readonly children?: ReactNode;
};

export function Boxes({ label, help, fault, known, unknown, chosen, change, children }: BoxesProps) {
  const id = useId();
  // One that is taken away can be taken back.
  const [atFirst] = useState(chosen);
  const others = [...new Set([...atFirst, ...chosen])]
    .filter((value) => !known.some((each) => each.value === value))
    .map((value) => ({ value, title: unknown(value) }));
  const set = (value: string, isIn: boolean) => {
    const rest = chosen.filter((each) => each !== value);
    change(isIn ? [...rest, value] : rest);
  };
  return (
    <fieldset className="field boxes" aria-describedby={`${id}-help`}>
      <legend className="label">{label}</legend>
      <div className="boxes-row">
        {[...known, ...others].map(({ value, title }) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              aria-invalid={fault !== undefined}
              checked={chosen.includes(value)}
              onChange={({ target }) => set(value, target.checked)}
            />
            {title}
          </label>
        ))}
        {children}
      </div>
      <p id={`${id}-help`} className="soft">
        {help}
        {fault !== undefined && <strong className="fault"> {fault}</strong>}
      </p>
    </fieldset>
  );
}
