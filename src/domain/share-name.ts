// The names of shares, and the addresses they become: a share `demo` answers at `demo.<domain>` (DESIGN 2.3).

/** Where shares are published, from `gateway.public_url`. `port` is as visitors see it. */
export type PublicBase = {
  readonly scheme: 'http' | 'https';
  readonly domain: string;
  readonly port: number;
};

/**
 * Whether a text can name a share: 1 to 40 of `a-z`, `0-9` and `-`, with no hyphen at either end. Names that
 * begin with `xn--` are international names in disguise (RFC 5890), which look like other names; they are
 * none.
 */
export function isShareName(text: string): boolean {
  return SHARE_NAME.test(text) && !text.startsWith('xn--');
}

/** `demo.share.example.com`. */
export function shareHost(name: string, base: PublicBase): string {
  return `${name}.${base.domain}`;
}

/**
 * `https://demo.share.example.com`, with the port where it is not the scheme's own: as browsers write an
 * origin.
 */
export function shareOrigin(name: string, base: PublicBase): string {
  return hostOrigin(shareHost(name, base), base);
}

/** The origin of any host at which a share answers, its custom ones too. */
export function hostOrigin(host: string, base: PublicBase): string {
  const ownPort = base.port === (base.scheme === 'https' ? 443 : 80);
  return `${base.scheme}://${host}${ownPort ? '' : `:${base.port}`}`;
}

/**
 * Whether no share may have this name: its host is one of the service's own (`ownHosts`: those of
 * `endpoint_url`, `control.public_url` and `tunnel.public_url`, lower case without port), or programs take
 * the name for something else.
 */
export function isReservedName(name: string, base: PublicBase, ownHosts: readonly string[]): boolean {
  return RESERVED.has(name) || ownHosts.includes(shareHost(name, base));
}

const SHARE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
/**
 * Names that mail clients and systems look up below a domain by themselves, trusting what they find, and our
 * own.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'autoconfig',
  'autodiscover',
  'doorward',
  'isatap',
  'localhost',
  'mta-sts',
  'svc',
  'wpad',
]);
