// Adds a webhook: where it leads, and of what it is told.

import { useState } from 'react';
import type { MadeWebhook } from '../../../src/client/webhook-object.ts';
import { KIND_GROUPS, kindText } from '../audit/audit-text.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import type { Faults } from '../parts/faults.ts';
import { FormDialog } from '../parts/form-dialog.tsx';

type Draft = {
  readonly url: string;
  readonly name: string;
  readonly of: 'all' | 'some';
  readonly kinds: ReadonlySet<string>;
};

export function NewWebhook({ made }: { readonly made: (webhook: MadeWebhook) => Promise<unknown> }) {
  const [draft, setDraft] = useState(NOTHING);
  const send = async () => {
    const kinds = draft.of === 'all' ? [] : [...draft.kinds];
    if (draft.of === 'some' && kinds.length === 0) throw new Error('Choose at least one kind of event.');
    const name = draft.name.trim();
    const webhook = await client.webhooks.create({
      url: draft.url.trim(),
      ...(name === '' ? {} : { name }),
      ...(kinds.length === 0 ? {} : { kinds }),
    });
    setDraft(NOTHING);
    await made(webhook);
  };
  return (
    <FormDialog label="New webhook" title="New webhook" action="Add it" send={send}>
      {(faults) => (
        <WebhookFields
          draft={draft}
          faults={faults}
          change={(part) => setDraft((now) => ({ ...now, ...part }))}
        />
      )}
    </FormDialog>
  );
}

type FieldsProps = {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly change: (part: Partial<Draft>) => void;
};

function WebhookFields({ draft, faults, change }: FieldsProps) {
  return (
    <>
      <Field
        label="Address"
        help="https://, of a receiver of yours that can be reached from the service."
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
      <Field label="Name" optional help="For people: “on-call chat”." fault={faults['name']}>
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
        label="Is told of"
        value={draft.of}
        options={[
          { value: 'all', title: 'Everything' },
          { value: 'some', title: 'Only what I choose' },
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

const NOTHING: Draft = { url: '', name: '', of: 'all', kinds: new Set() };
