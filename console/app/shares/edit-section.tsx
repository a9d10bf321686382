// One section of a share's page: what is set, and a form in its place as soon as somebody wants to change it.

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ShareChanges, ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { EditForm } from '../parts/edit-form.tsx';
import type { Faults } from '../parts/faults.ts';
import { Panel } from '../parts/panel.tsx';
import { useTell } from '../parts/toast.tsx';
import { useMay } from '../shell/session-context.ts';
import { changesOf, withChanges } from './share-changes.ts';
import { shareFields } from './share-words.ts';

type EditSectionProps<Draft> = {
  readonly title: string;
  readonly share: Versioned<ShareObject>;
  readonly draftOf: (share: ShareObject) => Draft;
  readonly changesOf: (draft: Draft) => ShareChanges;
  readonly fields: (draft: Draft, set: (changes: Partial<Draft>) => void, faults: Faults) => ReactNode;
  /** Told what is typed, at each change, and null as soon as nobody edits any more. */
  readonly watch?: ((draft: Draft | null, start: ShareObject) => void) | undefined;
  /** What is shown while nobody edits. */
  readonly children: ReactNode;
};

export function EditSection<Draft extends object>(props: EditSectionProps<Draft>) {
  const { title, share, children } = props;
  const mayChange = useMay()('shares.write');
  // What it was when it was opened: what is read meanwhile must not change it under somebody's hands.
  const [start, setStart] = useState<Versioned<ShareObject> | null>(null);
  return (
    <Panel
      title={title}
      actions={
        start === null &&
        mayChange && (
          <button type="button" aria-label={`Edit: ${title}`} onClick={() => setStart(share)}>
            Edit
          </button>
        )
      }
    >
      {start === null ? children : <SectionForm {...props} start={start} close={() => setStart(null)} />}
    </Panel>
  );
}

type SectionFormProps<Draft> = EditSectionProps<Draft> & {
  readonly start: Versioned<ShareObject>;
  readonly close: () => void;
};

function SectionForm<Draft extends object>(props: SectionFormProps<Draft>) {
  const { start, close, fields } = props;
  const [draft, setDraft] = useState(() => props.draftOf(start.value));
  const queries = useQueryClient();
  const tell = useTell();
  const { id } = start.value;
  const watch = useEffectEvent((typed: Draft | null) => props.watch?.(typed, start.value));
  useEffect(() => watch(draft), [draft]);
  useEffect(() => () => watch(null), []);
  return (
    <EditForm
      start={start}
      changes={() => changesOf(start.value, props.changesOf(draft))}
      send={(changes, { etag }) => client.shares.modify(id, changes, { ifMatch: etag })}
      read={() => client.shares.read(id)}
      fieldsOf={shareFields}
      withChanges={withChanges}
      done={async (how) => {
        if (how !== 'cancelled') await queries.invalidateQueries({ queryKey: ['shares'] });
        if (how === 'saved') tell('Saved', 'Applies immediately.');
        close();
      }}
    >
      {(faults) => fields(draft, (changes) => setDraft((now) => ({ ...now, ...changes })), faults)}
    </EditForm>
  );
}
