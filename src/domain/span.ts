// One step of a trace, as it is sent to a collector. Attributes never hold what a visitor typed: no query, no
// path, no cookie, no address of a person.

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the first of a trace. */
  readonly parentId: string | null;
  /** Whether the parent is in another program. */
  readonly isParentRemote: boolean;
  readonly name: string;
  readonly kind: 'server' | 'client';
  /** Milliseconds since the epoch, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
};

/** Methods as traces name them: whatever a visitor made up is one. */
export function methodName(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);
