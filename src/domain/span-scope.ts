// The step of a trace that runs now, for calls that it makes: they find it without being handed it. There is
// none where nothing is traced.

import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanScope = {
  /** A call to another program begins. Answers what to call when it is over, with its status or null. */
  readonly call: (method: string, host: string) => (status: number | null) => void;
};

export const spanScope = new AsyncLocalStorage<SpanScope>();
