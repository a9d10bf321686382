// Changes a definition onto the version that was seen. The secret stays unless another one is typed.

import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ProviderObject } from '../../../src/client/provider-object.ts';
import { client } from '../api/client.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { Panel } from '../parts/panel.tsx';
import { useTell } from '../parts/toast.tsx';
import { changedConfig, draftChanges, draftOf, providerFields, withDraftChanges } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';

type EditProviderProps = {
  readonly start: Versioned<ProviderObject>;
  readonly close: () => Promise<unknown>;
};

export function EditProvider({ start, close }: EditProviderProps) {
  const [draft, setDraft] = useState(() => draftOf(start.value));
  const tell = useTell();
  const { name, type } = start.value;
  return (
    <Panel
      title="Settings"
      about="The next login uses them. Another issuer, server or client ends the sessions made with this one."
    >
      <EditForm
        start={start}
        changes={() => draftChanges(start.value, draft)}
        send={(changes, onto) =>
          client.providers.modify(
            name,
            { config: changedConfig(onto.value, changes) },
            { ifMatch: onto.etag },
          )
        }
        read={() => client.providers.read(name)}
        fieldsOf={providerFields}
        withChanges={withDraftChanges}
        done={async (how) => {
          if (how === 'saved') tell(`${name} is changed`, 'Test it: the next login uses it.');
          await close();
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
