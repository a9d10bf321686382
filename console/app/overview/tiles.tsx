// The figures at the top: each is a link to the list behind it, with what is wrong in it beside.

import type { ReactNode } from 'react';
import type { OverviewObject } from '../../../src/wire/overview.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { countOf, countText } from '../parts/numbers.ts';
import { sumOf } from '../parts/chart/steps.ts';
import { type Range, RANGES } from '../parts/ranges.ts';

type TilesProps = { readonly overview: OverviewObject; readonly range: Range };

export function Tiles({ overview: { shares, requests, sessions, certificates }, range }: TilesProps) {
  return (
    <div className="figures">
      <ShareTile shares={shares} />
      <RequestTile requests={requests} range={range} />
      <Tile
        icon="sessions"
        label={sessions.active === 1 ? 'Active session' : 'Active sessions'}
        href={hrefTo('sessions')}
        value={sessions.active}
      >
        <Aside>{sessions.active === 0 ? 'nobody is logged in' : 'logged in to shares'}</Aside>
      </Tile>
      <CertificateTile certificates={certificates} />
    </div>
  );
}

function ShareTile({ shares }: { readonly shares: OverviewObject['shares'] }) {
  const list = hrefTo('shares');
  const down = shares.failing + shares.waiting;
  return (
    <Tile
      icon="shares"
      label={shares.up === 1 ? 'Share up' : 'Shares up'}
      href={down + shares.off === 0 ? list : `${list}?state=up`}
      value={shares.up}
    >
      {down > 0 && (
        <Aside tone="bad" href={`${list}?state=down`}>
          {countText(down)} down
        </Aside>
      )}
      {shares.off > 0 && <Aside href={`${list}?state=off`}>{countText(shares.off)} off</Aside>}
      {down + shares.off === 0 && <Aside>{shares.total === 0 ? 'none yet' : 'all of them'}</Aside>}
    </Tile>
  );
}

type RequestTileProps = { readonly requests: OverviewObject['requests']; readonly range: Range };

function RequestTile({ requests: { steps }, range }: RequestTileProps) {
  const { requests, refused, faulted } = sumOf(steps);
  const what = requests === 1 ? 'Request' : 'Requests';
  return (
    <Tile icon="activity" label={`${what} in ${RANGES[range].within}`} href="#requests" value={requests}>
      {refused > 0 && <Aside tone="warn">{countText(refused)} refused</Aside>}
      {faulted > 0 && (
        <Aside tone="bad" href={range === '24' ? `${hrefTo('shares')}?state=unanswered` : null}>
          {countText(faulted)} unanswered
        </Aside>
      )}
      {refused + faulted === 0 && <Aside>{requests === 0 ? 'no requests' : 'none refused'}</Aside>}
    </Tile>
  );
}

function CertificateTile({ certificates }: { readonly certificates: OverviewObject['certificates'] }) {
  const { active, expiringSoon, soonDays } = certificates;
  // Members are told how many there are, and not whose.
  const list = useMay()('certificates.read') ? hrefTo('certificates') : null;
  const shown = list && `${list}?state=active`;
  return (
    <Tile
      icon="certificates"
      label={active === 1 ? 'Certificate' : 'Certificates'}
      href={shown}
      value={active}
    >
      {expiringSoon > 0 ? (
        <Aside tone="warn" href={list && `${list}?expiring=${soonDays}d`}>
          {countText(expiringSoon)} {expiringSoon === 1 ? 'expires' : 'expire'} within{' '}
          {countOf(soonDays, 'day')}
        </Aside>
      ) : (
        <Aside>{active === 0 ? 'none active' : `none expires within ${countOf(soonDays, 'day')}`}</Aside>
      )}
    </Tile>
  );
}

type TileProps = {
  readonly icon: IconName;
  readonly label: string;
  /** Null where one may not see the list. */
  readonly href: string | null;
  readonly value: number;
  readonly children: ReactNode;
};

/** The figure's own link reaches over what the links inside leave. */
function Tile({ icon, label, href, value, children }: TileProps) {
  const figure = (
    <>
      <span className="figure-label">
        {label}
        <Icon name={icon} />
      </span>{' '}
      <span className="figure-value" title={value.toLocaleString('en')}>
        {countText(value)}
      </span>
    </>
  );
  const Anchor = href?.startsWith('#') === true ? 'a' : Link;
  return (
    <div className="figure">
      {href === null ? (
        figure
      ) : (
        <Anchor className="overview-figure" href={href}>
          {figure}
        </Anchor>
      )}
      <span className="figure-note overview-asides">{children}</span>
    </div>
  );
}

type AsideProps = {
  readonly tone?: 'warn' | 'bad';
  readonly href?: string | null;
  readonly children: ReactNode;
};

function Aside({ tone, href = null, children }: AsideProps) {
  if (href === null) return <span data-tone={tone}>{children}</span>;
  return (
    <Link href={href} data-tone={tone}>
      {children}
    </Link>
  );
}
