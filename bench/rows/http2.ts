// Small answers by HTTP/2 over TLS, behind a login, and through nginx.

import { startDoorward } from '../proxies/doorward.ts';
import { startPeers } from '../proxies/peers.ts';
import type { Size } from '../size.ts';
import { interleave, measure, type Measure } from '../subject.ts';

export type Http2Measures = { readonly nginx: readonly Measure[]; readonly doorward: readonly Measure[] };

export async function measureHttp2(size: Size, backendPort: number): Promise<Http2Measures> {
  const doorward = await startDoorward({
    tls: true,
    backendPort,
    visitors: Math.min(4, size.visitors),
    shares: 2,
    starts: 1,
  });
  const { tls } = doorward.service;
  if (tls === null) throw new Error('Cannot measure HTTP/2: there is no TLS');
  const [nginx, ...others] = await startPeers(backendPort, tls.pair);
  try {
    const take = (subject: { readonly pid: () => number; readonly port: number }, count: number) => () =>
      measure(subject, {
        kind: 'http2',
        url: `https://demo.share.localhost:${subject.port}/`,
        authority: new URL(doorward.service.urlOf('demo')).host,
        cookies: doorward.cookies,
        ca: tls.ca,
        streams: 32,
        count,
        limitMs: size.limitMs,
      });
    if (nginx === undefined) throw new Error('Cannot measure HTTP/2: there is no nginx');
    const all = (count: number) => ({ nginx: take(nginx, count), doorward: take(doorward.protected, count) });
    await interleave(1, all(size.warmUp / 2));
    return await interleave(size.rounds, all(size.count / 2));
  } finally {
    await doorward.close();
    for (const peer of [nginx, ...others]) await peer?.close();
  }
}
