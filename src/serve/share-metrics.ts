// What the chosen shares get, one by one, for Prometheus; all others together as `other`. With `top`, the
// most used shares of each account have series of their own: a share that is used much more takes the place
// of the least used one, whose series end. A request counts in one series, so none ever goes back.

import type { ShownShares } from '../config/config.ts';
import {
  noFigures,
  type ShareActivity,
  type ShareFigures,
  STATUS_CLASSES,
  sumOfFigures,
} from '../domain/activity.ts';
import { BUCKET_ENDS_MS } from '../domain/duration-buckets.ts';
import type { AccountId, ShareId } from '../domain/id.ts';
import type { Metric, MetricValue } from '../domain/metric.ts';
import { told } from './service-metrics.ts';

export type ShareMetrics = {
  readonly add: (shares: readonly ShareActivity[]) => void;
  readonly collect: () => readonly Metric[];
};

export type ShareMetricsDeps = {
  readonly shown: ShownShares;
  /** Null for a share that is gone. */
  readonly nameOf: (id: ShareId) => string | null;
  readonly now: () => number;
};

export function createShareMetrics({ shown, nameOf, now }: ShareMetricsDeps): ShareMetrics {
  if (shown.kind === 'none') return { add: () => undefined, collect: () => metricsOf([]) };
  const counted = new Map<ShareId, Counted>();
  let others = noFigures();
  let rankedAt = now();
  let places = placesIn(counted);
  const isShown = ({ shareId, accountId }: ShareActivity): boolean => {
    const taken = places.of.get(accountId) ?? 0;
    const isChosen =
      shown.kind === 'listed' ? shown.names.includes(nameOf(shareId) ?? '') : taken < shown.count;
    if (!isChosen || places.all >= MOST_SHOWN) return false;
    places.of.set(accountId, taken + 1);
    places.all++;
    return true;
  };
  return {
    add(shares) {
      if (now() - rankedAt >= RANK_MS) {
        rankedAt = now();
        for (const id of counted.keys()) if (nameOf(id) === null) counted.delete(id);
        if (shown.kind === 'top') rank(counted);
        places = placesIn(counted);
      }
      for (const share of shares) {
        const { shareId, accountId, requests } = share;
        let own = counted.get(shareId);
        if (own === undefined) {
          own = { shareId, accountId, recent: 0, figures: isShown(share) ? noFigures() : null };
          counted.set(shareId, own);
        }
        own.recent += requests;
        if (own.figures === null) others = sumOfFigures(others, share);
        else own.figures = sumOfFigures(own.figures, share);
      }
    },
    collect: () =>
      metricsOf([
        ...shownOf(counted).flatMap(({ shareId, accountId, figures }) => {
          const name = nameOf(shareId);
          return name === null ? [] : [{ labels: { account: accountId, share: name }, figures }];
        }),
        { labels: { account: 'other', share: 'other' }, figures: others },
      ]),
  };
}

type Counted = {
  readonly shareId: ShareId;
  readonly accountId: AccountId;
  /** Requests, halved with each ranking. */
  recent: number;
  /** Since it is shown; null while it is not. */
  figures: ShareFigures | null;
};
type Shown = Counted & { figures: ShareFigures };

function shownOf(counted: ReadonlyMap<ShareId, Counted>): readonly Shown[] {
  return [...counted.values()].filter((each): each is Shown => each.figures !== null);
}

/** How many shares are shown, of each account and in all. */
function placesIn(counted: ReadonlyMap<ShareId, Counted>) {
  const of = new Map<AccountId, number>();
  const shown = shownOf(counted);
  for (const { accountId } of shown) of.set(accountId, (of.get(accountId) ?? 0) + 1);
  return { of, all: shown.length };
}

/** Of each account, those used far more take the places of those used least; the forgotten go. */
function rank(counted: Map<ShareId, Counted>): void {
  for (const own of Map.groupBy(counted.values(), ({ accountId }) => accountId).values()) {
    const weakest = own.filter(({ figures }) => figures !== null).toSorted((a, b) => a.recent - b.recent);
    const strongest = own.filter(({ figures }) => figures === null).toSorted((a, b) => b.recent - a.recent);
    for (const [index, weak] of weakest.entries()) {
      const strong = strongest[index];
      if (strong === undefined || strong.recent <= AHEAD * weak.recent) break;
      strong.figures = noFigures();
      weak.figures = null;
    }
  }
  for (const [id, each] of counted) {
    each.recent /= 2;
    if (each.recent < (each.figures === null ? 1 : FORGOTTEN)) counted.delete(id);
  }
}

type Series = {
  readonly labels: Readonly<Record<'account' | 'share', string>>;
  readonly figures: ShareFigures;
};

function metricsOf(series: readonly Series[]): readonly Metric[] {
  return [
    told('doorward_share_requests_total', series.flatMap(requestValues)),
    told('doorward_share_request_duration_seconds', series.flatMap(durationValues)),
  ];
}

function requestValues({ labels, figures: { statuses } }: Series): readonly MetricValue[] {
  return STATUS_CLASSES.map((code, index) => ({ value: statuses[index] ?? 0, labels: { ...labels, code } }));
}

function durationValues({ labels, figures: { durations, durationsMs } }: Series): readonly MetricValue[] {
  const name = 'doorward_share_request_duration_seconds';
  let count = 0;
  const buckets = [...BUCKET_ENDS_MS.map((end) => end / 1000), '+Inf' as const].map((le, bucket) => {
    count += durations[bucket] ?? 0;
    return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: durationsMs / 1000, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

/** 25 series each: what one Prometheus takes from one gateway without thinking. */
const MOST_SHOWN = 500;
/** An hour or more after the last request, by how many there were. */
const FORGOTTEN = 0.01;
/** Long enough that shares do not take turns. */
const RANK_MS = 10 * 60_000;
/** How much more used a share must be than the one whose place it takes. */
const AHEAD = 2;
