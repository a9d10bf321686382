// A fault as an answer: a page for people, problem+json (RFC 9457) for programs. Both carry the request id,
// neither carries what is for the log only.

import type { FaultCode, ServiceError } from '../domain/service-error.ts';
import type { Answer } from './answer.ts';
import { faultHeaders } from './fault-headers.ts';
import { FAULT_TEXTS } from './fault-text.ts';
import { type Brand, type PageAction, type PageContent, renderPage } from './page.ts';
import { problemAnswer } from './problem.ts';

export type FaultContext = {
  /** Whether a page was asked for: see `wantsPage()` in `wants-page.ts`. */
  readonly page: boolean;
  readonly brand: Brand;
  readonly requestId: string;
  /** What the visitor can do next, on pages only. */
  readonly actions?: readonly PageAction[];
  readonly details?: readonly { readonly label: string; readonly value: string }[];
};

/**
 * The answer with the fault's status. A page shows the code's public texts, never the fault's own message.
 */
export function faultAnswer(error: ServiceError, context: FaultContext): Answer {
  if (!context.page) return problemAnswer(error, context.requestId);
  const { status, title } = error.fault;
  const { what, next } = FAULT_TEXTS[error.code];
  const page = renderPage(
    {
      status,
      tone: toneOf(status),
      title,
      paragraphs: [what, next],
      details: context.details ?? [],
      actions: actionsOf(error.code, context.actions ?? []),
      requestId: context.requestId,
    },
    context.brand,
  );
  return { ...page, headers: [...page.headers, ...faultHeaders(error)] };
}

/** Who is told to try again gets a way to, when there is no better one. */
function actionsOf(code: FaultCode, given: readonly PageAction[]): readonly PageAction[] {
  return given.length === 0 && PASSING.has(code) ? [SAME_PAGE] : given;
}

function toneOf(status: number): PageContent['tone'] {
  if (status >= 500) return 'fault';
  return status === 401 || status === 403 || status === 429 ? 'refused' : 'info';
}

const SAME_PAGE: PageAction = { label: 'Try again', href: '', primary: true };
/** What may be over in a moment, wherever it was met. */
const PASSING: ReadonlySet<FaultCode> = new Set([
  'backend_down',
  'backend_timeout',
  'agent_away',
  'recheck_unavailable',
  'store_unavailable',
  'draining',
]);
