// What is set of a definition, and what is registered for it.

import { type FieldForm, PROVIDER_FIELDS } from '../../../src/domain/provider-fields.ts';
import { fieldsOf, kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import type { ProviderObject } from '../../../src/wire/provider.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { factOf } from './field-text.ts';
import { ProviderGuide } from './provider-guide.tsx';

export function ProviderSettings({ provider }: { readonly provider: ProviderObject }) {
  const { type, config, redirectUrl, updatedAt } = provider;
  const kind = kindOfDefinition(type);
  return (
    <Panel title="Settings">
      <Facts
        facts={[
          { title: 'Redirect URL', value: <CopyText text={redirectUrl} label="the redirect URL" /> },
          { title: 'Client ID', value: <code>{config.clientId}</code> },
          {
            title: kind.takesPrivateKey ? 'Client secret or private key' : 'Client secret',
            value: 'stored encrypted, never shown',
          },
          ...fieldsOf(kind).map(([name]) =>
            config[name] === undefined && !ALWAYS_SHOWN.has(PROVIDER_FIELDS[name].form)
              ? null
              : { title: PROVIDER_FIELDS[name].label, value: factOf(name, config[name]) },
          ),
          { title: 'Changed', value: <Moment at={updatedAt} /> },
        ]}
      />
      <details>
        <summary>What to register at the provider, and where</summary>
        <ProviderGuide type={type} redirectUrl={redirectUrl} />
      </details>
    </Panel>
  );
}

/** Of these, what was not chosen says something, too. */
const ALWAYS_SHOWN: ReadonlySet<FieldForm> = new Set(['switch', 'prompt', 'patterns']);
