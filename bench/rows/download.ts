// One large answer through each proxy: megabytes a second, and CPU for each gigabyte.

import { asSubject } from './requests.ts';
import type { Doorward } from '../proxies/doorward.ts';
import type { Peer } from '../proxies/peer.ts';
import type { Size } from '../size.ts';
import { interleave, measure, type Measure, type Subject } from '../subject.ts';

export type DownloadBench = { readonly size: Size; readonly nginx: Peer; readonly doorward: Doorward };
export type DownloadMeasures = { readonly nginx: readonly Measure[]; readonly doorward: readonly Measure[] };

export function measureDownload({ size, nginx, doorward }: DownloadBench): Promise<DownloadMeasures> {
  const take = (subject: Subject) => () =>
    measure(subject, {
      kind: 'download',
      port: subject.port,
      requests: subject.requests(`/bytes/${size.downloadBytes}`),
    });
  return interleave(3, { nginx: take(asSubject(nginx, doorward)), doorward: take(doorward.protected) });
}
