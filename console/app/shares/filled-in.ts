// A configuration of examples/forward-auth/ with the hosts of a share. Addresses, files and the secret are
// the operator's to fill in.

/** `url`: where the share answers. */
export function filledIn(text: string, url: string): string {
  const { hostname } = new URL(url);
  const domain = hostname.slice(hostname.indexOf('.') + 1);
  return text.replaceAll('app.share.example.com', hostname).replaceAll('share.example.com', domain);
}
