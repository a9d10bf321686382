// Adds a webhook: where it leads, and of what it is told.

import { useState } from 'react';
import type { MadeWebhook } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { newWebhook, NOTHING } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

export function NewWebhook({ made }: { readonly made: (webhook: MadeWebhook) => Promise<unknown> }) {
  const [draft, setDraft] = useState(NOTHING);
  const send = async () => {
    const webhook = await client.webhooks.create(newWebhook(draft));
    setDraft(NOTHING);
    await made(webhook);
  };
  return (
    <FormDialog label="New webhook" title="New webhook" action="Add" send={send}>
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
