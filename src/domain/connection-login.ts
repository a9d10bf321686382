// Logins that a backend counts for the whole connection, not for the request that brings them (RFC 4559
// section 6): whatever comes on that connection afterwards is done in the name of whoever logged in.

/** Whether a request carries such a login, or an answer speaks of one. `headers` is flat. */
export function logsConnectionIn(headers: readonly string[]): boolean {
  for (let index = 0; index < headers.length; index += 2)
    if (isLoginHeader(headers[index]!) && namesConnectionLogin(headers[index + 1]!)) return true;
  return false;
}

/** Whether credentials or challenges are of such a scheme. */
export function namesConnectionLogin(value: string): boolean {
  return SCHEMES.test(value);
}

/** Told apart by length first: most names cost one comparison. */
function isLoginHeader(name: string): boolean {
  switch (name.length) {
    case 13:
    case 16:
    case 18:
    case 19:
      return LOGIN_HEADERS.has(name.toLowerCase());
    default:
      return false;
  }
}

const LOGIN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'www-authenticate',
  'proxy-authenticate',
  'proxy-authorization',
]);
/** Anywhere in a list of challenges. In doubt a connection is one visitor's. */
const SCHEMES = /(?:^|[\s,])(?:ntlm|negotiate|nego2|kerberos)(?:[\s,]|$)/i;
