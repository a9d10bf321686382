// Until when a rule counts: a day, and a time with its zone where the whole day is not meant.

import { dayInWords } from '../../../../src/domain/rule-sentence.ts';
import { Field } from '../../parts/field.tsx';
import { offsetHere, untilParts, untilText } from './until-text.ts';

type UntilFieldProps = { readonly text: string; readonly change: (text: string) => void };

export function UntilField({ text, change }: UntilFieldProps) {
  const parts = untilParts(text);
  if (parts === null)
    return (
      <Field label="Date">
        {(control) => <input {...control} value={text} onChange={({ target }) => change(target.value)} />}
      </Field>
    );
  const here = offsetHere(parts);
  const zones = [...new Set(['Z', here, parts.zone])];
  return (
    <div className="condition-until">
      <Field label="Last day" help={dayInWords(parts.day)}>
        {(control) => (
          <input
            {...control}
            type="date"
            value={parts.day}
            onChange={({ target }) => change(untilText({ ...parts, day: target.value }))}
          />
        )}
      </Field>
      <Field label="Time">
        {(control) => (
          <input
            {...control}
            type="time"
            step="any"
            value={parts.time}
            onChange={({ target }) =>
              change(untilText({ ...parts, time: target.value, zone: parts.time === '' ? here : parts.zone }))
            }
          />
        )}
      </Field>
      <Field label="Time zone">
        {(control) => (
          <select
            {...control}
            // A whole day is one in UTC.
            disabled={parts.time === ''}
            value={parts.zone}
            onChange={({ target }) => change(untilText({ ...parts, zone: target.value }))}
          >
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone === 'Z' ? 'UTC' : zone === here ? `${HERE} (UTC${zone})` : `UTC${zone}`}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
