// Which proxy, if any, connections to elsewhere go through: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as other
// programs read them. The lower-case names count first. This machine is always reached straight.

import type { Duplex } from 'node:stream';
import { type Proxy, parseProxy } from '../domain/proxy.ts';
import { parseProxyExceptions } from '../domain/proxy-exceptions.ts';
import { isLoopbackName } from '../domain/host-name.ts';
import { connectThrough } from '../http/connect-through.ts';
import type { Terminal } from './terminal.ts';

export type WayOut = (url: URL) => ((tls: object, signal: AbortSignal) => Promise<Duplex>) | null;

/** What it answers throws `usage` for a proxy that cannot be read. */
export function wayOut({ env }: Pick<Terminal, 'env'>): WayOut {
  const isException = parseProxyExceptions(first(env, ['no_proxy', 'NO_PROXY'])?.text ?? '');
  return (url) => {
    const found = first(env, url.protocol === 'https:' ? HTTPS_NAMES : HTTP_NAMES);
    if (found === null || isLoopbackName(url.hostname) || isException(url)) return null;
    const proxy: Proxy = parseProxy(found.text, found.name);
    return (tls, signal) => connectThrough(proxy, url, { tls, signal });
  };
}

/** An empty one is none. */
function first(
  env: Terminal['env'],
  names: readonly string[],
): { readonly name: string; readonly text: string } | null {
  for (const name of names) {
    const text = env[name]?.trim() ?? '';
    if (text !== '') return { name, text };
  }
  return null;
}

const HTTPS_NAMES = ['https_proxy', 'HTTPS_PROXY'];
const HTTP_NAMES = ['http_proxy', 'HTTP_PROXY'];
