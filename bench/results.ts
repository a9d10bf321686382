// What one run of the benchmark measured.

import type { CertificateMeasures } from './rows/certificates.ts';
import type { CrowdMeasures } from './rows/crowd.ts';
import type { DownloadMeasures } from './rows/download.ts';
import type { HalfLoad } from './rows/half-load.ts';
import type { Http2Measures } from './rows/http2.ts';
import type { RequestMeasures } from './rows/requests.ts';
import type { RuleMeasures } from './rows/rules.ts';
import type { SocketMemory } from './rows/sockets.ts';
import type { TunnelMeasures } from './rows/tunnel.ts';
import type { Size } from './size.ts';

export type Results = {
  readonly command: string;
  readonly date: Date;
  readonly size: Size;
  readonly loadBefore: number;
  readonly versions: readonly string[];
  readonly requests: RequestMeasures;
  readonly http2: Http2Measures;
  readonly crowd: CrowdMeasures;
  readonly tunnel: TunnelMeasures;
  readonly halfLoad: HalfLoad;
  readonly certificates: CertificateMeasures;
  readonly rules: RuleMeasures;
  readonly download: DownloadMeasures;
  readonly sockets: SocketMemory;
  readonly idle: { readonly nginxMb: number; readonly doorwardMb: number };
  readonly startsMs: readonly number[];
};
