// A fault as an answer: a page for people, problem+json (RFC 9457) for programs. Both carry the request id,
// neither carries what is for the log only.

import type { FaultCode, ServiceError } from '../domain/service-error.ts';
import { isReservedPath } from '../domain/reserved-path.ts';
import type { Answer } from './answer.ts';
import { faultHeaders } from './fault-headers.ts';
import { FAULT_TEXTS } from './fault-text.ts';
import type { Brand, PageAction, PageContent } from './page-html.ts';
import { renderPage } from './page.ts';
import { problemAnswer } from './problem.ts';

export type FaultContext = {
  /** Whether a page was asked for: see `wantsPage()` in `wants-page.ts`. */
  readonly page: boolean;
  readonly brand: Brand;
  readonly requestId: string;
  /** What the visitor can do next, on pages only. */
  readonly actions?: readonly PageAction[];
  readonly details?: readonly { readonly label: string; readonly value: string }[];
  /** What the visitor asked for, as `placeText()` says it. */
  readonly place?: string | null;
  /** The app's name, where the visitor may know it. */
  readonly app?: string | null;
  /** When the page tries again by itself; null: it does not. */
  readonly againSeconds?: number | null;
};

/**
 * The answer with the fault's status. A page shows the code's public texts, never the fault's own message.
 */
export function faultAnswer(error: ServiceError, context: FaultContext): Answer {
  if (!context.page) return problemAnswer(error, context.requestId);
  const { status, title } = error.fault;
  const { requestId, place = null, againSeconds = null } = context;
  const page = renderPage(
    {
      status,
      tone: toneOf(status),
      title,
      paragraphs: paragraphsOf(error.code, againSeconds),
      details: [...whatWasAsked(context), ...(context.details ?? [])],
      actions: actionsOf(error.code, context.actions ?? []),
      askAbout: `${title}: ${place ?? context.brand.name} (request ${requestId})`,
      againSeconds,
      requestId,
    },
    context.brand,
  );
  return { ...page, headers: [...page.headers, ...faultHeaders(error)] };
}

/**
 * What stands in the address bar, without the query. A path only where it is plain words and not long: others
 * choose the links that people open, and no page of ours is to speak for them.
 */
export function placeText(authority: string, target: string): string {
  const path = target.split(/[?#]/, 1)[0]!;
  const isTold = path !== '/' && PLAIN_PATH.test(path) && !isReservedPath(path);
  return isTold ? `${authority}${path}` : authority;
}

function paragraphsOf(code: FaultCode, againSeconds: number | null): readonly string[] {
  const { what, next, lasting } = FAULT_TEXTS[code];
  const now = againSeconds === null ? next : `This page tries again by itself in ${againSeconds} seconds.`;
  return [what, lasting === undefined ? now : `${now} ${lasting}`];
}

function whatWasAsked({ app = null, place = null }: FaultContext): PageContent['details'] {
  return [
    ...(app === null ? [] : [{ label: 'Application', value: app }]),
    ...(place === null ? [] : [{ label: 'Address', value: place }]),
  ];
}

/** Who is told to try again gets a way to, when there is no better one. */
function actionsOf(code: FaultCode, given: readonly PageAction[]): readonly PageAction[] {
  return given.length === 0 && PASSING.has(code) ? [SAME_PAGE] : given;
}

function toneOf(status: number): PageContent['tone'] {
  if (status >= 500) return 'fault';
  return status === 401 || status === 403 || status === 429 ? 'refused' : 'info';
}

/** Two lines on a phone; nothing encoded, nothing that a sentence could be made of. */
const PLAIN_PATH = /^(?:\/[\w.-]{1,32}){1,4}\/?$/;
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
