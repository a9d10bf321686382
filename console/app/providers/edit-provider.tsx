// Changes a definition onto the version that was seen. The credential stays unless another one is typed.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ProviderObject } from '../../../src/wire/provider.ts';
import { client } from '../api/client.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { Panel } from '../parts/panel.tsx';
import { useTell } from '../parts/toast.tsx';
import { useQueryValue } from '../router.tsx';
import { draftChanges, draftOf, providerFields, withDraftChanges } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';

type EditProviderProps = {
  readonly start: Versioned<ProviderObject>;
  readonly close: () => Promise<unknown>;
};

export function EditProvider({ start, close }: EditProviderProps) {
  const [draft, setDraft] = useState(() => draftOf(start.value));
  const tell = useTell();
  const queries = useQueryClient();
  const [, ask] = useQueryValue('test');
  const { name, type } = start.value;
  return (
    <Panel
      title="Settings"
      about="The next login uses them. Another issuer, server or client ends the sessions of this one."
    >
      <EditForm
        start={start}
        changes={() => draftChanges(start.value, draft)}
        send={(config, onto) => client.providers.modify(name, { config }, { ifMatch: onto.etag })}
        read={() => client.providers.read(name)}
        fieldsOf={providerFields}
        withChanges={withDraftChanges}
        done={async (how) => {
          await close();
          if (how !== 'saved') return;
          tell(`${name} saved`, 'The next login uses it. The test is running.');
          ask('1');
          // What was found before is about the former settings.
          void queries.resetQueries({ queryKey: ['provider-test', name] });
        }}
      >
        {(faults) => (
          <ProviderFields
            type={type}
            draft={draft}
            change={(part) => setDraft((now) => ({ ...now, ...part }))}
            faults={faults}
            keepsSecret
          />
        )}
      </EditForm>
    </Panel>
  );
}
