// When a provider says that it may be asked again (RFC 9110 section 10.2.3; RFC 6585 section 4).

/**
 * Whole seconds from `now` (milliseconds since the epoch), at most an hour unless said; null when it does not
 * say.
 */
export function retryAfterSeconds(headers: Headers, now: number, most = MAX_SECONDS): number | null {
  const said = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Math.min(Number(said), most);
  const at = /^[A-Z][a-z]{2}/.test(said) ? Date.parse(said) : Number.NaN;
  if (Number.isNaN(at)) return null;
  // The moment is one of the provider's clock, which its answer shows, too.
  const date = Date.parse(headers.get('date') ?? '');
  const seconds = Math.ceil((at - (Number.isNaN(date) ? now : date)) / 1000);
  return Math.min(Math.max(seconds, 0), most);
}

/** A member for the extras of a fault; nothing when the provider does not say. */
export function retryAfterExtra(headers: Headers, now: number): { readonly retryAfterSeconds?: number } {
  const seconds = retryAfterSeconds(headers, now);
  return seconds === null ? {} : { retryAfterSeconds: seconds };
}

/** A provider that asked for more would keep everybody out on one wrong header. */
const MAX_SECONDS = 60 * 60;
