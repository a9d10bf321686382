// When people are told that a certificate is about to be over. Pure.

export type Life = {
  readonly createdAt: number;
  readonly notAfter: number;
};

/**
 * The first notice after `after`, or null when there is none: at two thirds of the life, which is when it is
 * to be renewed; then seven days and one day before the end, where those come later.
 */
export function nextNoticeAt({ createdAt, notAfter }: Life, after: number): number | null {
  const renewAt = renewalAt({ createdAt, notAfter });
  const reminders = REMINDERS_MS.map((beforeMs) => notAfter - beforeMs).filter((at) => at > renewAt);
  return [renewAt, ...reminders].find((at) => at > after) ?? null;
}

/** Two thirds of the life: a third is left to find out why it was not renewed. */
export function renewalAt({ createdAt, notAfter }: Life): number {
  return createdAt + Math.floor(((notAfter - createdAt) * 2) / 3);
}

const DAY_MS = 86_400_000;
/** In the order in which they come. */
const REMINDERS_MS = [7 * DAY_MS, DAY_MS];
