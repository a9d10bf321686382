// What every room writes its log with: one line each, fields first, then a constant message. Pure interface;
// the command line makes the real one. Fields never hold a secret, a cookie or a token, and `requestId` ties
// lines together.

export type Log = {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
};

/** An error goes under `err`. */
export type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;
