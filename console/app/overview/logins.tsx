// Logins to shares by provider: how many of each, and what became of them.

import type { LoginCountObject } from '../../../src/wire/overview.ts';
import { Panel } from '../parts/panel.tsx';
import { hrefTo, Link } from '../router.tsx';
import { countOf, countText } from '../parts/numbers.ts';
import { type Range, RANGES } from '../parts/ranges.ts';
import { ProviderName } from '../parts/provider-name.tsx';

type LoginsProps = { readonly logins: readonly LoginCountObject[]; readonly range: Range };

export function Logins({ logins, range }: LoginsProps) {
  const most = Math.max(1, ...logins.map(countAll));
  return (
    <Panel title="Logins by provider">
      {logins.length === 0 ? (
        <p className="soft">Nobody logged in to a share in the last {RANGES[range].long}.</p>
      ) : (
        <ul className="overview-bars">
          {logins.slice(0, MOST_SHOWN).map((each) => (
            <Bar key={each.provider} logins={each} most={most} range={range} />
          ))}
        </ul>
      )}
      {logins.length > MOST_SHOWN && <p className="soft">and {logins.length - MOST_SHOWN} more providers</p>}
    </Panel>
  );
}

type BarProps = Pick<LoginsProps, 'range'> & { readonly logins: LoginCountObject; readonly most: number };

function Bar({ logins, most, range }: BarProps) {
  const { provider, succeeded, refused, failed } = logins;
  const about = new URLSearchParams({ kind: 'login.succeeded', provider, within: WITHIN[range] });
  const href = `${hrefTo('audit')}?${about}`;
  const others = [
    ...(refused > 0 ? [`${countText(refused)} refused`] : []),
    ...(failed > 0 ? [`${countText(failed)} failed`] : []),
  ];
  return (
    <li>
      <Link href={href}>
        <ProviderName name={provider} />
      </Link>
      <span>
        <b>{countText(succeeded)}</b>
        {others.length > 0 && <span className="soft">{` and ${others.join(', ')}`}</span>}
      </span>
      <span className="overview-bar" aria-hidden="true" title={countOf(countAll(logins), 'login')}>
        <span data-part="served" style={{ width: shareOf(succeeded, most) }} />
        <span data-part="refused" style={{ width: shareOf(refused, most) }} />
        <span data-part="faulted" style={{ width: shareOf(failed, most) }} />
      </span>
    </li>
  );
}

function countAll({ succeeded, refused, failed }: LoginCountObject): number {
  return succeeded + refused + failed;
}

function shareOf(count: number, most: number): string {
  return `${(count / most) * 100}%`;
}

const MOST_SHOWN = 6;
/** As the audit log calls them: it lists what is counted here. */
const WITHIN = { '1': 'hour', '24': 'day', '168': 'week' } as const satisfies Readonly<Record<Range, string>>;
