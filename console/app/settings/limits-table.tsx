// How much the account may have, and has.

import type { LimitObject, SettingsObject } from '../../../src/wire/settings.ts';
import { Panel } from '../parts/panel.tsx';
import type { Origins } from './origin-text.tsx';
import { SettingFacts } from './setting-facts.tsx';

type LimitsTableProps = Pick<SettingsObject, 'limits'> & { readonly origins: Origins };

export function LimitsTable({ limits, origins }: LimitsTableProps) {
  return (
    <Panel title="Limits" about="How much this account can have. The operator can raise each limit.">
      <SettingFacts
        origins={origins}
        facts={limits.map((each) => ({
          setting: `limits.${each.limit}`,
          title: titleOf(each.limit),
          value: amountText(each),
        }))}
      />
    </Panel>
  );
}

/** An unknown one, of a service that is newer than this page, has its own name. */
function titleOf(limit: string): string {
  return TITLES[limit] ?? limit;
}

function amountText({ used, allowed }: LimitObject): string {
  const most = allowed.toLocaleString('en');
  return used === null ? `At most ${most}` : `${used.toLocaleString('en')} of ${most}`;
}

const TITLES: Readonly<Record<string, string>> = {
  shares: 'Shares',
  hosts: 'Custom hosts',
  providers: 'Own providers',
  members: 'Members',
  apiKeys: 'API keys',
  serviceTokens: 'Service tokens',
  webhooks: 'Webhooks',
  certificateRequestTokens: 'Request tokens',
  certificates: 'Certificates',
  revokedSerials: 'Revoked serial numbers',
  writesPerMinute: 'Changes per minute',
  callsAtOnce: 'API calls at once',
  callsWaiting: 'API calls waiting',
};
