// What a person, or a program, sees of a share that is served from here. Each event once, as it happens.

import type { ShareObject } from '../../../wire/share.ts';
import { openingRule } from '../../../domain/open-share.ts';
import type { ServiceError } from '../../../domain/service-error.ts';
import type { ServedFault } from '../../../tunnel/told.ts';
import type { Farewell, LinkEvent } from './serve-share.ts';

export type View = {
  /** Requests come. `listening`: whether something answers at the target now. */
  readonly ready: (share: ShareObject, target: ShownTarget) => void;
  /** Null where no request is shown. */
  readonly request: ((request: ShownRequest) => void) | null;
  readonly link: (event: LinkEvent) => void;
  /** Running requests are waited for. */
  readonly stopping: () => void;
  /** It is over, and not by one's own input. The command ends with the fault. */
  readonly refused: (share: ShareObject, fault: ServiceError) => void;
  readonly stopped: (share: ShareObject, farewell: Farewell) => void;
};

export const OPEN_WARNING = 'this share is open to everyone who has the address';

/** What closes an open share: `asLogin`, unless a rule opens it. A gateway of before tells of no rules. */
export function howToClose({ rules = [] }: Partial<Pick<ShareObject, 'rules'>>, asLogin: string): string {
  const rule = openingRule(rules);
  return rule === null ? asLogin : `rule ${rule} allows everyone: give it another condition`;
}

export type ShownTarget = { readonly text: string; readonly listening: boolean };

/** Everything in it that a visitor chose is still as it came. */
export type ShownRequest = {
  /** Epoch milliseconds of its end. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** What the visitor got; null when nothing. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Null when nobody had to log in. */
  readonly email: string | null;
  readonly fault: ServedFault | null;
};
