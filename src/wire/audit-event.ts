// An audit event as the control API shows it, and how the log is read (DESIGN 2.5). Times are RFC 3339.

export type AuditEventObject = {
  readonly id: string;
  readonly at: string;
  /** `login.succeeded`, `share.modified` and so on: the API's description has the list. */
  readonly kind: string;
  readonly result: 'done' | 'refused' | 'failed';
  readonly shareId: string | null;
  readonly sessionId: string | null;
  readonly provider: string | null;
  readonly email: string | null;
  /** Who did it when it was not the visitor. */
  readonly actor: string | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly reason: string | null;
  /** Of a refusal: the rule that refused; null where none lets in. */
  readonly rule: string | null;
  /** Of a change: what was there before and after, field by field. */
  readonly changes?: AuditChangeObject | undefined;
};

export type AuditChangeObject = {
  /** Null for what is new. */
  readonly before: ChangeFieldsObject | null;
  /** Null for what is deleted. */
  readonly after: ChangeFieldsObject | null;
  /** Secrets that changed, by name; never a value. */
  readonly secrets: readonly string[];
  /** How many values of long lists are left out. */
  readonly omitted: number;
};

/** By their names in the API; rules, and what has parts of its own, are text. */
export type ChangeFieldsObject = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

export type AuditPageObject = {
  /** In the order asked for. A page of a filter may hold few or none, and still have a `nextCursor`. */
  readonly items: readonly AuditEventObject[];
  /** Null when nothing is left by now. */
  readonly nextCursor: string | null;
  /** With `order=oldest`, where to go on with what is written down after this page. */
  readonly followCursor: string;
};

export type AuditSearch = {
  readonly kind?: readonly string[] | undefined;
  readonly email?: string | undefined;
  /** Name or id. */
  readonly share?: string | undefined;
  readonly provider?: string | undefined;
  /** As events name it: `member:mem_…`. */
  readonly actor?: string | undefined;
  readonly result?: 'done' | 'refused' | 'failed' | undefined;
  /** Parts of words, each of which an event has. */
  readonly text?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** `newest` unless said. */
  readonly order?: 'newest' | 'oldest' | undefined;
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
};
