// The facts of a visitor beside the email address, for "who would get in".

import { useState } from 'react';
import { Field } from '../parts/field.tsx';
import { type Faults, faultAt } from '../parts/faults.ts';
import { ABSENCES, type FactDraft, MORE_FACTS, saysMore } from './tested-facts.ts';

type MoreFactsProps = {
  readonly draft: FactDraft;
  readonly change: (changes: Partial<FactDraft>) => void;
  readonly faults: Faults;
};

export function MoreFacts({ draft, change, faults }: MoreFactsProps) {
  // Only at first: it must not close under somebody who empties a field.
  const [isOpen] = useState(() => saysMore(draft));
  return (
    <details className="more-facts" open={isOpen}>
      <summary>More facts</summary>
      <p className="soft">What you leave empty is unknown, which is not the same as “no”.</p>
      {MORE_FACTS.map((fact) => (
        <Field key={fact.name} label={fact.label} help={fact.help} fault={faultAt(faults, fact.name)}>
          {(control) =>
            'lines' in fact ? (
              <textarea
                {...control}
                rows={2}
                spellCheck={false}
                value={draft[fact.name]}
                onChange={({ target }) => change({ [fact.name]: target.value })}
              />
            ) : (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={draft[fact.name]}
                onChange={({ target }) => change({ [fact.name]: target.value })}
              />
            )
          }
        </Field>
      ))}
      {ABSENCES.map(({ name, label }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={draft[name] !== ''}
            onChange={({ target }) => change({ [name]: target.checked ? 'yes' : '' })}
          />{' '}
          {label}
        </label>
      ))}
    </details>
  );
}
