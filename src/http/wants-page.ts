// Whether the answer to a request is a page for a person or a problem document for a program.

export type PageInput = {
  readonly method: string;
  /** A request header by its lower-case name. */
  readonly headers: (name: string) => string | undefined;
};

/**
 * True for navigations (Fetch Metadata says so), and for whoever names HTML in `Accept`: browsers do not for
 * what scripts fetch unless the script says so. A bare wildcard, as curl sends it, is no input for a page;
 * neither is an upgrade or `X-Requested-With`.
 */
export function wantsPage({ method, headers }: PageInput): boolean {
  if (method === 'OPTIONS' || headers('upgrade') !== undefined) return false;
  if (headers('x-requested-with') !== undefined) return false;
  return headers('sec-fetch-mode')?.toLowerCase() === 'navigate' || acceptsHtml(headers('accept') ?? '');
}

/** `text/html` or XHTML named in `Accept` with a weight other than zero (RFC 9110 section 12.5.1). */
function acceptsHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== 'text/html' && type !== 'application/xhtml+xml') return false;
    return !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
