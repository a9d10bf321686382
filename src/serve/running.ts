// What changes while the service runs: its files see here what is in force now.

import type { Config } from '../config/config.ts';
import type { TlsPair } from '../config/tls-files.ts';
import type { TrustNews } from '../domain/certificate-trust.ts';
import type { DataPlane } from '../gateway/plane.ts';
import type { Listener } from '../http/listener.ts';
import type { Rooms } from './rooms.ts';

export type Running = {
  config: Config;
  certificates: readonly TlsPair[];
  rooms: Rooms;
  /** Null until it is started: the feed has nobody to tell before. */
  plane: DataPlane | null;
  /** Null when there is none. */
  metrics: Listener | null;
  /** Tells the control API's own listener whose client certificates count; null where it asks for none. */
  tellControl: ((news: TrustNews) => void) | null;
  /** When the last good poll of the store began, on the clock of `steadyNow()`. */
  storeGoodAt: number;
};
