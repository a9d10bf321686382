// The address of a PostgreSQL database, as `store.url` gives it: strict, so that a mistyped parameter never
// weakens the connection. Pure; the password is a Secret from here on.

import { plainHost } from './url-place.ts';
import { readHost } from './ip-address.ts';
import { isLoopbackName } from './host-name.ts';
import { Secret } from './secret.ts';

export type PostgresAddress = {
  /** A name, an address without brackets, or the absolute path of the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | null;
  /**
   * `verified`: the server's certificate must be good for its name. `unverified`: TLS with whoever answers.
   */
  readonly tls: 'off' | 'verified' | 'unverified';
  /**
   * The certificates of the authorities to trust instead of the system's: the path of a PEM file, or null.
   */
  readonly caFile: string | null;
};

/** What is wrong with an address, in words that hold nothing of it. */
export class PostgresAddressRefusal {
  readonly found: string;
  readonly wanted: string;

  constructor(found: string, wanted: string) {
    this.found = found;
    this.wanted = wanted;
  }
}

/**
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…&sslrootcert=FILE`; HOST is `%2Frun%2Fpostgresql` for
 * a Unix socket (https://www.postgresql.org/docs/current/libpq-connect.html, section "Connection URIs").
 * Without `sslmode`, TLS is on and verified unless the server is on this machine.
 */
export function parsePostgresAddress(text: string): PostgresAddress | PostgresAddressRefusal {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || !text.includes('://'))
    return new PostgresAddressRefusal('a PostgreSQL address that cannot be read', FORM);
  if (url.hash !== '')
    return new PostgresAddressRefusal('a "#" in the address', 'a password with "#" as %23, "/" as %2F');
  const parameters = readParameters(url.searchParams);
  if (parameters instanceof PostgresAddressRefusal) return parameters;
  const parts = readParts(url);
  if (parts instanceof PostgresAddressRefusal) return parts;
  const tls = readTls(parts.host, parameters);
  return tls instanceof PostgresAddressRefusal ? tls : { ...parts, ...tls };
}

type Parameters = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

function readParameters(search: URLSearchParams): Parameters | PostgresAddressRefusal {
  const known: readonly string[] = PARAMETERS;
  for (const name of search.keys()) {
    if (!known.includes(name))
      return new PostgresAddressRefusal('an unknown parameter after "?"', `only ${PARAMETERS.join(', ')}`);
    if (search.getAll(name).length > 1)
      return new PostgresAddressRefusal(`${name} more than once`, `${name} once`);
  }
  return Object.fromEntries(search) as Parameters;
}

type Parts = Pick<PostgresAddress, 'host' | 'port' | 'database' | 'user' | 'password'>;

function readParts(url: URL): Parts | PostgresAddressRefusal {
  const [host, user, password, database] = [
    decoded(plainHost(url.hostname)),
    decoded(url.username),
    decoded(url.password),
    decoded(url.pathname.slice(1)),
  ];
  if (host === null || user === null || password === null || database === null)
    return new PostgresAddressRefusal('a "%" that begins no escape', 'a "%" in a password as %25');
  if (!host.startsWith('/') && !isHost(host))
    return new PostgresAddressRefusal('an address without a usable host', FORM);
  if (user === '') return new PostgresAddressRefusal('an address without a user', FORM);
  if (database === '' || database.includes('/'))
    return new PostgresAddressRefusal('an address without the name of one database', FORM);
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  if (port === 0) return new PostgresAddressRefusal('port 0', 'a port from 1 to 65535');
  return { host, port, database, user, password: password === '' ? null : new Secret(password) };
}

function readTls(
  host: string,
  { sslmode, sslrootcert }: Parameters,
): Pick<PostgresAddress, 'tls' | 'caFile'> | PostgresAddressRefusal {
  if (sslmode !== undefined && !isTlsMode(sslmode))
    return new PostgresAddressRefusal('an unknown sslmode', `one of ${Object.keys(TLS_MODES).join(', ')}`);
  const local = host.startsWith('/') || isLoopbackName(host);
  const asked = sslmode ?? (local && sslrootcert === undefined ? 'disable' : 'verify-full');
  if (sslrootcert !== undefined && TLS_MODES[asked] !== 'verified')
    return new PostgresAddressRefusal(`sslrootcert beside sslmode=${asked}`, 'sslmode=verify-full');
  if (sslrootcert === '') return new PostgresAddressRefusal('an empty sslrootcert', 'the path of a PEM file');
  return { tls: TLS_MODES[asked], caFile: sslrootcert ?? null };
}

function isTlsMode(text: string): text is keyof typeof TLS_MODES {
  return Object.hasOwn(TLS_MODES, text);
}

function isHost(host: string): boolean {
  return host !== '' && readHost(host.includes(':') ? `[${host}]` : host).kind !== 'malformed';
}

function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text);
    return plain.includes('\0') ? null : plain;
  } catch {
    return null;
  }
}

const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';
const PARAMETERS = ['sslmode', 'sslrootcert'] as const;
/** `require` checks the certificate too, unlike libpq's; to go without has a name that says so. */
const TLS_MODES = {
  'verify-full': 'verified',
  require: 'verified',
  'no-verify': 'unverified',
  disable: 'off',
} as const;
const DEFAULT_PORT = 5432;
