// W3C Trace Context (www.w3.org/TR/trace-context): what a request says of the trace that it belongs to, read
// strictly and written well-formed.

export type TraceParent = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

/** Null for what is not well-formed, and for ids of zeros. */
export function parseTraceParent(text: string): TraceParent | null {
  const [all, version, traceId = '', spanId = '', flags = ''] = TRACE_PARENT.exec(text) ?? [];
  if (all === undefined || version === 'ff' || ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  // A version that is not known may say more, after another hyphen; this one may not.
  if (version === '00' ? all !== text : text.length > all.length && text[all.length] !== '-') return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceParentText({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** As it is passed on; null for what is not well-formed, which is passed to nobody. */
export function parseTraceState(text: string): string | null {
  if (text.length > MAX_STATE) return null;
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const keys = members.map((member) => member.split('=', 1)[0]);
  const isSound =
    members.length > 0 &&
    members.length <= MAX_MEMBERS &&
    members.every((member) => MEMBER.test(member)) &&
    new Set(keys).size === keys.length;
  return isSound ? members.join(',') : null;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;
const ZEROS = /^0+$/;
/** A key, with its tenant or without, and up to 256 visible characters that do not end with a space. */
const MEMBER =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
/** What the standard has every party pass on. */
const MAX_STATE = 512;
const MAX_MEMBERS = 32;
