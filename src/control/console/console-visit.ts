// What a page or call below /auth is asked with.

import type { ControlEnv } from '../control-deps.ts';

export type ConsoleVisit = {
  readonly query: URLSearchParams;
  /** The Cookie header. */
  readonly cookie: string | undefined;
  readonly address: string;
  readonly requestId: string;
  /** What the connection brought, as in `ControlEnv`. */
  readonly certificate: ControlEnv['Bindings']['certificate'];
  /** A page of another site led here. */
  readonly isLed: boolean;
  /** The browser says that no page did: an address was typed, or a link opened in another program. */
  readonly isUnled: boolean;
};
