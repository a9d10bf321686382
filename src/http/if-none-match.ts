// Whether a client has what it asks for already (RFC 9110 section 13.1.2): by entity tags, of which weak ones
// count as strong ones.

/** `known`: the values of If-None-Match. `etag`: with its quotes. */
export function hasTag(known: readonly string[], etag: string): boolean {
  return known.some((value) => value.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
}
