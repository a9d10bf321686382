// The address of a share's target as URL parsers read it, with the scheme that they don't know: `h2c` is
// HTTP/2 in the clear, from the first byte (RFC 9113 section 3.3).

export type TargetUrl = {
  readonly scheme: 'http' | 'https' | 'h2c';
  /** As of `http` where the scheme is `h2c`. */
  readonly url: URL;
};

/** Null for what is no URL of such a scheme. What else may stand in one is the caller's to judge. */
export function readTargetUrl(text: string): TargetUrl | null {
  const h2c = H2C.test(text);
  const url = URL.parse(h2c ? text.replace(H2C, 'http:') : text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return { scheme: h2c ? 'h2c' : url.protocol === 'https:' ? 'https' : 'http', url };
}

const H2C = /^h2c:/i;
