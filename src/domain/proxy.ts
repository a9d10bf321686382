// A proxy that connections are opened through (RFC 9110 section 9.3.6), as HTTPS_PROXY names it. Pure.

import { plainHost, portOf } from './url-place.ts';
import { Secret } from './secret.ts';
import { ServiceError } from './service-error.ts';

export type Proxy = {
  /** `http://proxy.example:3128`: without its password, so it can be shown. */
  readonly origin: string;
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: Secret | null;
};

/**
 * `http://user:password@host:port`, or `host:port`. Throws `usage`, without the text: it may hold a password.
 */
export function parseProxy(text: string, source: string): Proxy {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  const isSecure = url?.protocol === 'https:';
  if (url === null || (!isSecure && url.protocol !== 'http:') || url.hostname === '')
    throw new ServiceError('usage', `Cannot use the proxy of ${source}: it is no http or https address`, {
      hint: 'Write it as http://proxy.example.com:3128, with user:password@ before the host if the proxy asks for them.',
    });
  const { origin, hostname, username, password } = url;
  return {
    origin,
    isSecure,
    host: plainHost(hostname),
    port: portOf(url),
    authorization: username === '' && password === '' ? null : basic(source, username, password),
  };
}

function basic(source: string, username: string, password: string): Secret {
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const bytes = new TextEncoder().encode(pair);
    return new Secret(`Basic ${btoa(String.fromCharCode(...bytes))}`);
  } catch (cause) {
    throw new ServiceError(
      'usage',
      `Cannot use the proxy of ${source}: its password is not percent-encoded`,
      {
        cause,
      },
    );
  }
}
