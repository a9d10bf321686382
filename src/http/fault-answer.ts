// A fault as an answer: a page for people, problem+json (RFC 9457) for programs. Both carry the request id.

import type { ServiceError } from '../domain/service-error.ts';
import type { Answer } from './answer.ts';
import type { Brand, PageAction } from './page.ts';

export type FaultContext = {
  /** Whether a page was asked for: see `wantsPage()` in `wants-page.ts`. */
  readonly page: boolean;
  readonly brand: Brand;
  readonly requestId: string;
  /** What the visitor can do next, on pages only. */
  readonly actions?: readonly PageAction[];
  readonly details?: readonly { readonly label: string; readonly value: string }[];
};

export function faultAnswer(_error: ServiceError, _context: FaultContext): Answer {
  throw new Error('not here yet');
}
