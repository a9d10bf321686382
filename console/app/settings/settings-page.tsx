// What the operator's configuration means for this account. Nothing of it is changed here.

import { useQuery } from '@tanstack/react-query';
import type { SettingsObject } from '../../../src/wire/settings.ts';
import { client } from '../api/client.ts';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { ConfiguredProviders } from './configured-providers.tsx';
import { LimitsTable } from './limits-table.tsx';
import { originsOf } from './origin-text.tsx';
import { ReadConfiguration } from './read-configuration.tsx';
import { SettingFacts } from './setting-facts.tsx';

export function SettingsPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['settings'], queryFn: () => client.settings() });
  return (
    <>
      <PageHead
        title="Settings"
        about="What the configuration of this service means for the account. Only the operator changes it."
      />
      {data === undefined && error === null && <Loading what="the settings" />}
      {error !== null && <ProblemNote error={error} retry={refetch} />}
      {data !== undefined && <Sections settings={data} />}
    </>
  );
}

function Sections({ settings }: { readonly settings: SettingsObject }) {
  const { addresses, lifetimes, retention, limits, providers, configuration } = settings;
  const origins = originsOf(settings);
  return (
    <>
      {configuration !== null && <ReadConfiguration {...configuration} />}
      <Panel title="Addresses" about="Where people and programs reach the service.">
        <SettingFacts
          origins={origins}
          facts={[
            { setting: 'addresses.shares', title: 'Shares', value: <code>{addresses.shares}</code> },
            { setting: 'addresses.login', title: 'Login', value: <code>{addresses.login}</code> },
            {
              setting: 'addresses.console',
              title: 'Console and API',
              value: <code>{addresses.console}</code>,
            },
            {
              setting: 'addresses.customHostsWithin',
              title: 'Custom hosts',
              value: customHostsText(addresses.customHostsWithin),
            },
            {
              setting: 'addresses.automaticCertificates',
              title: 'Public certificates',
              value: addresses.automaticCertificates
                ? 'Ordered and renewed automatically (ACME)'
                : 'Managed by the operator',
            },
          ]}
        />
      </Panel>
      <Panel title="Lifetimes and retention" about="How long logins last, and how long data is kept.">
        <SettingFacts
          origins={origins}
          facts={[
            {
              setting: 'lifetimes.sessions',
              title: 'Sessions at shares',
              value: `Expire after ${lifetimes.sessions}`,
            },
            {
              setting: 'lifetimes.consoleSessions',
              title: 'Logins to the console',
              value: `Expire after ${lifetimes.consoleSessions}`,
            },
            {
              setting: 'retention.auditEvents',
              title: 'Audit events',
              value: `Kept for ${retention.auditEvents}`,
            },
            {
              setting: 'retention.endedSessions',
              title: 'Ended sessions',
              value: `Kept for ${retention.endedSessions}`,
            },
            {
              setting: 'retention.webhookDeliveries',
              title: 'Webhook deliveries',
              value: `Kept for ${retention.webhookDeliveries}`,
            },
          ]}
        />
      </Panel>
      <BrandPreview settings={settings} origins={origins} />
      <ConfiguredProviders providers={providers} origins={origins} />
      <LimitsTable limits={limits} origins={origins} />
    </>
  );
}

function customHostsText(within: string | null): string {
  return within === null ? 'Any host that you own' : `With a login, hosts under ${within}`;
}
