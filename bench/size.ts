// How much is measured: the whole bench in about four minutes, `--quick` in less than one.

export type Size = {
  readonly rounds: number;
  /** Answers in one round, and how long they may take. */
  readonly count: number;
  readonly limitMs: number;
  /**
   * Answers before anything is measured, so that code is compiled as it is after a minute of service: from
   * 20,000 on.
   */
  readonly warmUp: number;
  readonly visitors: number;
  readonly shares: number;
  /** Living ones in the store, each used. */
  readonly sessions: number;
  /** Issued in one round; and revoked ones on one list. */
  readonly certificates: number;
  readonly revoked: number;
  readonly handshakes: number;
  readonly sockets: number;
  readonly downloadBytes: number;
  readonly pacedMs: number;
  readonly starts: number;
  /** Of one kind of rules in one round, in this process. */
  readonly decisions: number;
};

/** The same with as many living sessions as `--sessions` says. Throws for what is no number of them. */
export function withSessions(size: Size, said: string | undefined): Size {
  if (said === undefined) return size;
  const sessions = Number(said);
  if (Number.isSafeInteger(sessions) && sessions >= size.visitors) return { ...size, sessions };
  throw new Error(
    `Cannot measure with "${said}" sessions: it is no number of them\nhint: Use a whole number of at least ${size.visitors}.`,
  );
}

export const FULL: Size = {
  rounds: 5,
  count: 20_000,
  limitMs: 8_000,
  warmUp: 30_000,
  visitors: 16,
  shares: 100_000,
  sessions: 100_000,
  certificates: 1_000,
  revoked: 10_000,
  handshakes: 2_000,
  sockets: 10_000,
  downloadBytes: 2_000_000_000,
  pacedMs: 6_000,
  starts: 5,
  decisions: 500_000,
};

export const QUICK: Size = {
  rounds: 2,
  count: 12_000,
  limitMs: 5_000,
  warmUp: 25_000,
  visitors: 2,
  shares: 10_000,
  sessions: 1_000,
  certificates: 200,
  revoked: 10_000,
  handshakes: 500,
  sockets: 500,
  downloadBytes: 200_000_000,
  pacedMs: 1_500,
  starts: 1,
  decisions: 100_000,
};
