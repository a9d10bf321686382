// The secret of a webhook, shown this once, with what to do with it.

import type { MadeWebhook } from '../../../src/wire/webhook.ts';
import { ShownOnce } from '../parts/shown-once.tsx';
import { hrefTo } from '../router.tsx';

type SigningSecretProps = { readonly webhook: MadeWebhook; readonly close: () => void };

export function SigningSecret({ webhook: { secret }, close }: SigningSecretProps) {
  return (
    <ShownOnce title="Signing secret" text={secret} label="the secret" close={close}>
      <p>
        The receiver{' '}
        <a href={hrefTo('webhooks', '+verify')} target="_blank" rel="noopener">
          checks the signature
        </a>{' '}
        with it, so that nobody else can send it events.
      </p>
    </ShownOnce>
  );
}
