// What one run of the benchmark measured.

import type { CertificateMeasures } from './rows/certificates.ts';
import type { CrowdMeasures } from './rows/crowd.ts';
import type { DownloadMeasures } from './rows/download.ts';
import type { ForwardAuthMeasures } from './rows/forward-auth.ts';
import type { HalfLoad } from './rows/half-load.ts';
import type { Http2Measures } from './rows/http2.ts';
import type { InstalledMeasures } from './rows/installed.ts';
import type { RequestMeasures } from './rows/requests.ts';
import type { RuleMeasures } from './rows/rules.ts';
import type { SocketMemory } from './rows/sockets.ts';
import type { TunnelMeasures } from './rows/tunnel.ts';
import type { WorkerMeasures } from './rows/workers.ts';
import type { Size } from './size.ts';

/** Null where it was not asked for. */
export type Measured = {
  readonly requests: RequestMeasures | null;
  readonly http2: Http2Measures | null;
  readonly workers: WorkerMeasures | null;
  readonly crowd: CrowdMeasures | null;
  readonly tunnel: TunnelMeasures | null;
  readonly forwardAuth: ForwardAuthMeasures | null;
  readonly halfLoad: HalfLoad | null;
  readonly certificates: CertificateMeasures | null;
  readonly rules: RuleMeasures | null;
  readonly download: DownloadMeasures | null;
  readonly sockets: SocketMemory | null;
  readonly installed: InstalledMeasures | null;
  readonly idle: { readonly nginxMb: number; readonly doorwardMb: number };
  readonly startsMs: readonly number[];
};

export type Results = Measured & {
  readonly command: string;
  readonly date: Date;
  readonly size: Size;
  readonly loadBefore: number;
  readonly versions: readonly string[];
};
