// The fields of a webhook: where it leads, what people call it, and of what it is told.

import { KIND_GROUPS, kindText } from '../parts/audit-text.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import type { Faults } from '../parts/faults.ts';
import type { Draft } from './webhook-draft.ts';

type FieldsProps = {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly change: (part: Partial<Draft>) => void;
};

export function WebhookFields({ draft, faults, change }: FieldsProps) {
  return (
    <>
      <Field
        label="Address"
        help="The https:// URL of your receiver. The service must be able to reach it."
        fault={faults['url']}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            required
            autoComplete="off"
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
          />
        )}
      </Field>
      <Field label="Name" optional help="A display name, such as “on-call chat”." fault={faults['name']}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            maxLength={100}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <Choice
        label="Events"
        value={draft.of}
        options={[
          { value: 'all', title: 'Everything' },
          { value: 'some', title: 'Only selected kinds' },
        ]}
        change={(of) => change({ of })}
      />
      {draft.of === 'some' && <Kinds draft={draft} change={change} />}
    </>
  );
}

function Kinds({ draft: { kinds }, change }: Pick<FieldsProps, 'draft' | 'change'>) {
  const set = (named: readonly string[], on: boolean) => {
    const rest = [...kinds].filter((kind) => !named.includes(kind));
    change({ kinds: new Set(on ? [...rest, ...named] : rest) });
  };
  return (
    <div className="webhook-kinds">
      {KIND_GROUPS.map((group) => {
        const chosen = group.kinds.filter((kind) => kinds.has(kind)).length;
        return (
          <details key={group.title}>
            <summary>
              {group.title} <span className="soft">{chosen === 0 ? '' : `${chosen} chosen`}</span>
            </summary>
            <label className="check">
              <input
                type="checkbox"
                checked={chosen === group.kinds.length}
                onChange={(event) => set(group.kinds, event.target.checked)}
              />
              <b>All of them</b>
            </label>
            {group.kinds.map((kind) => (
              <label key={kind} className="check">
                <input
                  type="checkbox"
                  checked={kinds.has(kind)}
                  onChange={(event) => set([kind], event.target.checked)}
                />
                {kindText(kind).title}
              </label>
            ))}
          </details>
        );
      })}
    </div>
  );
}
