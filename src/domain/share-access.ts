// What lets a visitor in where a share has a login and asks for a client certificate.

/** Both are needed, or either is enough. */
export const SHARE_ACCESSES = ['all', 'either'] as const;
export type ShareAccess = (typeof SHARE_ACCESSES)[number];
