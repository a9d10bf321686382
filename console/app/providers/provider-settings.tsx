// What is set of a definition, and what is registered for it.

import type { ProviderObject } from '../../../src/wire/provider.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { parametersText, promptText } from './provider-draft.ts';
import { ProviderGuide } from './provider-guide.tsx';

export function ProviderSettings({ provider }: { readonly provider: ProviderObject }) {
  const { type, config, redirectUrl, updatedAt } = provider;
  const isOpenId = type === 'OIDC';
  return (
    <Panel title="Settings">
      <Facts
        facts={[
          { title: 'Redirect URL', value: <CopyText text={redirectUrl} label="the redirect URL" /> },
          config.issuerUrl === undefined ? null : { title: 'Issuer', value: config.issuerUrl },
          config.baseUrl === undefined ? null : { title: 'Server', value: config.baseUrl },
          { title: 'Client ID', value: <code>{config.clientId}</code> },
          {
            title: isOpenId ? 'Client secret or private key' : 'Client secret',
            value: 'kept encrypted, never shown',
          },
          config.scopes === undefined ? null : { title: 'Scopes', value: config.scopes.join(' ') },
          isOpenId ? { title: 'Verified addresses only', value: yesNo(config.requireVerifiedEmail) } : null,
          isOpenId ? { title: 'PKCE', value: yesNo(config.supportsPkce) } : null,
          isOpenId ? { title: 'Logs out there, too', value: yesNo(config.rpInitiatedLogout) } : null,
          { title: 'Prompt', value: promptText(config) },
          config.discoveryUrl === undefined ? null : { title: 'Metadata', value: config.discoveryUrl },
          config.emailClaim === undefined ? null : { title: 'Email claim', value: config.emailClaim },
          config.loginParameters === undefined
            ? null
            : { title: 'Login parameters', value: parametersText(config).replaceAll('\n', ', ') },
          config.trustedAuthorities === undefined ? null : { title: 'CA certificates', value: 'its own' },
          {
            title: 'Addresses it may let in',
            value: config.emailPatterns?.join(', ') || 'any that the share allows',
          },
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

function yesNo(on: boolean | undefined): string {
  return on === true ? 'yes' : 'no';
}
