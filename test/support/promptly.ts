/**
 * What is promised within two seconds ends within this on a machine that has other work, too. Whatever else
 * would end it (a deadline, an idle limit, a check) takes longer. The two seconds themselves are measured by
 * the long runs, on a machine of their own.
 */
export const PROMPTLY_MS = 15_000;
