// How much the account may have, and has.

import type { SettingsObject } from '../../../src/wire/settings.ts';
import { limitText, limitTitle } from '../parts/limit-text.ts';
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
          title: limitTitle(each.limit),
          value: limitText(each),
        }))}
      />
    </Panel>
  );
}
