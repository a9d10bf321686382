// What changes while the service runs: its files see here what is in force now.

import type { PublicCertificates } from '../acme/public-certificates.ts';
import type { Config } from '../config/config.ts';
import type { TlsPair } from '../config/tls-files.ts';
import type { TrustNews } from '../domain/certificate-trust.ts';
import type { DataPlane } from '../gateway/plane.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import type { Listener } from '../http/listener.ts';
import type { Rooms } from './rooms.ts';

export type Running = {
  config: Config;
  /** Of files. */
  certificates: readonly TlsPair[];
  /** Those that came by themselves; served beside the former, and after them. */
  acquired: readonly TlsMaterial[];
  /** Null where none comes by itself, and until the doors are open. */
  publicCertificates: PublicCertificates | null;
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

/** What every listener serves; the first is for whoever asks for no name, or for another. */
export function materialsOf({ certificates, acquired }: Running): readonly TlsMaterial[] {
  return [...certificates, ...acquired];
}
