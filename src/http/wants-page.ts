// Whether the answer to a request is a page for a person or a problem document for a program.

export type PageWish = {
  readonly method: string;
  /** A request header by its lower-case name. */
  readonly headers: (name: string) => string | undefined;
};

/**
 * True for navigations (Fetch Metadata says so) and, where a client sends no Fetch Metadata, for an `Accept` that names
 * HTML. `*` + `/*` alone, as curl sends it, is no wish for a page; neither is an upgrade or `X-Requested-With`.
 */
export function wantsPage({ method, headers }: PageWish): boolean {
  if (method === 'OPTIONS' || headers('upgrade') !== undefined) return false;
  if (headers('x-requested-with') !== undefined) return false;
  const mode = headers('sec-fetch-mode');
  if (mode !== undefined) return mode.toLowerCase() === 'navigate';
  return acceptsHtml(headers('accept') ?? '');
}

/** `text/html` or XHTML named in `Accept` with a weight other than zero (RFC 9110 section 12.5.1). */
function acceptsHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== 'text/html' && type !== 'application/xhtml+xml') return false;
    return !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
