// Changes a webhook onto the version that was seen.

import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { WebhookChanges, WebhookObject } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { Panel } from '../parts/panel.tsx';
import { useTell } from '../parts/toast.tsx';
import { draftChanges, draftOf, requireKinds, webhookFields, withDraftChanges } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

type EditWebhookProps = {
  readonly start: Versioned<WebhookObject>;
  readonly close: () => Promise<unknown>;
};

export function EditWebhook({ start, close }: EditWebhookProps) {
  const [draft, setDraft] = useState(() => draftOf(start.value));
  const tell = useTell();
  const { id } = start.value;
  const send = async (changes: WebhookChanges, { etag }: Versioned<WebhookObject>) => {
    requireKinds(draft);
    await client.webhooks.modify(id, changes, { ifMatch: etag });
  };
  return (
    <Panel
      title="Settings"
      about="Pending deliveries go to the new address. New kinds apply to events from now on. The secret stays."
    >
      <EditForm
        start={start}
        changes={() => draftChanges(start.value, draft)}
        send={send}
        read={() => client.webhooks.read(id)}
        fieldsOf={webhookFields}
        withChanges={withDraftChanges}
        done={async (how) => {
          await close();
          if (how === 'saved') tell('Saved. Applies immediately.');
        }}
      >
        {(faults) => (
          <WebhookFields
            draft={draft}
            change={(part) => setDraft((now) => ({ ...now, ...part }))}
            faults={faults}
          />
        )}
      </EditForm>
    </Panel>
  );
}
