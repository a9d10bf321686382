// The last look at what goes into the log: members named like secrets and texts that look like them become
// `[secret]`. Nobody should log them in the first place; this is for the day that somebody does.

/**
 * A copy of `value` that is safe to write, at most six levels deep. Errors become type, message, code, stack,
 * cause.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof URL) return redactText(value.href);
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) && isContent(member) ? SECRET : redact(member, depth + 1),
    ]),
  );
}

/**
 * The text without API keys, certificate request tokens, JWTs and JWEs, bearer values, and secret query
 * parameters.
 */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((left, [pattern, by]) => left.replaceAll(pattern, by), text);
}

function describeError(error: Error, depth: number): Readonly<Record<string, unknown>> {
  const { code, cause, error: oauthError } = error as Error & { code?: unknown; error?: unknown };
  return {
    type: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof oauthError === 'string' ? { error: redactText(oauthError) } : {}),
    ...(typeof error.stack === 'string' ? { stack: redactText(error.stack) } : {}),
    ...(cause instanceof Error ? { cause: redact(cause, depth + 1) } : {}),
  };
}

/** A count or a flag named `tokens` is no secret; a text or an object of that name may be. */
function isContent(member: unknown): boolean {
  return typeof member === 'string' || (typeof member === 'object' && member !== null);
}

const SECRET = '[secret]';

const SECRET_NAME =
  /^(?:set-)?cookies?$|authorization|password|passphrase|secret|api_?key$|(?:signing|encryption|master|private)_?key$|tokens?$|code_?verifier|^nonce$|^code$.{0}(?!)|assertion$/i;

const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(dwi|dws|dw|crt|whsec)_[A-Za-z0-9_+/=-]{16,}/g, '$1_[secret]'],
  // Before bearer values, which a cookie may hold.
  [/\b((?:set-)?cookie\s*[:=]\s*)[^\s;="]+=[^\r\n"]*/gi, '$1[secret]'],
  [/\b((?:svc-(?:auth-session|control)|__Host-svc-[a-z-]+)=)[^;\s"']+/gi, '$1[secret]'],
  // The password of a database's or a proxy's address.
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)[^\s@/]+(?=@)/gi, '$1[secret]'],
  [/\beyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2,4}/g, SECRET],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [secret]'],
  [
    /([?&#](?:code|state|request|grant|outcome|invitation|password|passphrase|id_token_hint|id_token|access_token|refresh_token|client_secret|code_verifier|token)=)[^&\s"'#]+/gi,
    '$1[secret]',
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g, SECRET],
];

// Deeper or longer than any line of ours; it bounds what one line costs.
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;
