// Gives a webhook another secret. The one before signs too for a day, unless somebody else has it by now.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { MadeWebhook, WebhookObject } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { Facts } from '../parts/facts.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { SigningSecret } from './signing-secret.tsx';

export function RotateSecret({ webhook }: { readonly webhook: Versioned<WebhookObject> }) {
  const { id, secretRotatedAt, formerSecretsUntil } = webhook.value;
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const [rotated, setRotated] = useState<MadeWebhook | null>(null);
  const queries = useQueryClient();
  const send = async () => {
    setRotated(await client.webhooks.rotateSecret(id, { overlap }, { ifMatch: webhook.etag }));
    await queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  return (
    <Panel
      title="Signing secret"
      about="Anyone who has it can forge events of this service. Rotate it if it may have leaked."
      actions={
        <FormDialog
          label="Rotate the secret"
          title="Rotate the secret?"
          about="The new secret is shown once. Give it to the receiver."
          action="Rotate"
          send={send}
          primary={false}
        >
          {() => (
            <Choice
              label="Previous secret"
              value={overlap}
              options={[
                { value: '24h', title: 'Also signs for 24 hours' },
                { value: 'none', title: 'Stops signing immediately' },
              ]}
              change={setOverlap}
            />
          )}
        </FormDialog>
      }
    >
      <Facts
        facts={[
          { title: 'Rotated', value: <Moment at={secretRotatedAt} /> },
          formerSecretsUntil === null
            ? null
            : { title: 'The previous secret signs until', value: <Moment at={formerSecretsUntil} /> },
        ]}
      />
      {rotated !== null && <SigningSecret webhook={rotated} close={() => setRotated(null)} />}
    </Panel>
  );
}

type Overlap = '24h' | 'none';
