// One call of the control API on its way, and what came back: Node and browsers each send it in their way.

export type SentCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** 30 s unless said. */
  readonly limitMs?: number | undefined;
  /** Gives the call up; absent where nobody does. */
  readonly signal?: AbortSignal | undefined;
};

export type CallAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly etag: string | null;
  readonly body: string;
};

/** Rejects when no whole answer comes. It follows no redirect. */
export type Send = (call: SentCall) => Promise<CallAnswer>;

/** An answer whose body is read as it comes. */
export type OpenAnswer = Omit<CallAnswer, 'body'> & { readonly body: AsyncIterable<Uint8Array> };

/**
 * Resolves with the head, for which alone `limitMs` counts. Aborting the signal breaks it off, its body too.
 */
export type Open = (call: SentCall, signal: AbortSignal) => Promise<OpenAnswer>;
