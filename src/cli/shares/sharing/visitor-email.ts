// Whose request it is, read from the identity headers that the gateway wrote (contract 2.6).

/**
 * `headers` are flat, with names in lower case, of a request for a share with a login; null when nobody
 * logged in. The gateway writes its own last, under a prefix that is configured, and strips that prefix from
 * what visitors send: so the last assertion tells the prefix, and all else that looks alike is a visitor's.
 */
export function visitorEmail(headers: readonly string[]): string | null {
  const assertion = lastIndex(headers, (name) => name.endsWith(ASSERTION));
  if (assertion === -1) return null;
  const prefix = headers[assertion]!.slice(0, -ASSERTION.length);
  const email = lastIndex(headers, (name) => name === `${prefix}email`);
  return email === -1 ? null : (headers[email + 1] ?? null);
}

function lastIndex(headers: readonly string[], matches: (name: string) => boolean): number {
  for (let index = headers.length - 2; index >= 0; index -= 2) if (matches(headers[index]!)) return index;
  return -1;
}

const ASSERTION = 'assertion';
