// What became of a request for access. Browsers read this file, too.

export const ACCESS_REQUEST_STATES = ['open', 'granted', 'dismissed'] as const;
export type AccessRequestState = (typeof ACCESS_REQUEST_STATES)[number];
