// One of few, each with what it means.

import { useId } from 'react';

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly title: string; readonly about?: string }[];
  readonly change: (value: Value) => void;
};

export function Choice<Value extends string>({ label, value, options, change }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => change(option.value)}
          />
          <strong>{option.title}</strong>
          {option.about !== undefined && <small>{option.about}</small>}
        </label>
      ))}
    </fieldset>
  );
}
