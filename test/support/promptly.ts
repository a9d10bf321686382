/**
 * What is promised within two seconds ends within this on a machine that has other work, too. Whatever else
 * would end it (a deadline, an idle limit, a check) takes longer. The two seconds themselves are measured by
 * one of the long runs alone: `churn`, for logouts (`test/soak/`).
 */
export const PROMPTLY_MS = 15_000;
