// What the operator's configuration means for this account. Nothing of it is changed here.

import { useQuery } from '@tanstack/react-query';
import type { SettingsObject } from '../../../src/wire/settings.ts';
import { client } from '../api/client.ts';
import { Facts } from '../parts/facts.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { ConfiguredProviders } from './configured-providers.tsx';
import { LimitsTable } from './limits-table.tsx';

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
  const { addresses, lifetimes, retention, limits, brand, providers } = settings;
  return (
    <>
      <Panel title="Addresses" about="Where people and programs reach the service.">
        <Facts
          facts={[
            { title: 'Shares', value: <code>{addresses.shares}</code> },
            { title: 'Login', value: <code>{addresses.login}</code> },
            { title: 'Console and API', value: <code>{addresses.console}</code> },
            { title: 'Custom hosts', value: customHostsText(addresses.customHostsWithin) },
            {
              title: 'Public certificates',
              value: addresses.automaticCertificates
                ? 'Ordered and renewed automatically (ACME)'
                : 'Managed by the operator',
            },
          ]}
        />
      </Panel>
      <Panel title="Lifetimes and retention" about="How long logins last, and how long data is kept.">
        <Facts
          facts={[
            { title: 'Sessions at shares', value: `Expire after ${lifetimes.sessions}` },
            { title: 'Logins to the console', value: `Expire after ${lifetimes.consoleSessions}` },
            { title: 'Audit events', value: `Kept for ${retention.auditEvents}` },
            { title: 'Ended sessions', value: `Kept for ${retention.endedSessions}` },
            { title: 'Webhook deliveries', value: `Kept for ${retention.webhookDeliveries}` },
          ]}
        />
      </Panel>
      <BrandPreview brand={brand} />
      <ConfiguredProviders providers={providers} />
      <LimitsTable limits={limits} />
    </>
  );
}

function customHostsText(within: string | null): string {
  return within === null ? 'Any host that you own' : `With a login, hosts under ${within}`;
}
