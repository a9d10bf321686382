// The section `store` (DESIGN 2.1): which database, where its master key lies, how long the service goes on
// without it, and how long it remembers.

import { isAbsolute } from 'node:path';
import { PostgresAddressRefusal, parsePostgresAddress } from '../domain/postgres-address.ts';
import { Secret } from '../domain/secret.ts';
import { quoteValue } from './config-fault.ts';
import type { StoreConfig } from './config.ts';
import {
  complete,
  durationText,
  fault,
  readOptional,
  readSecret,
  readText,
  Refusal,
  resolvePath,
  type ReadContext,
  type Section,
} from './section.ts';

export function readStore(section: Section): StoreConfig | undefined {
  return complete({
    engine: readEngine(section),
    masterKeyFile: readText(section, 'master_key_file', (text) => resolvePath(section.context, text)),
    outageGraceMs: readOptional(section, 'outage_grace', {
      parse: durationText,
      absent: DEFAULT_OUTAGE_GRACE_MS,
    }),
    endedRetentionMs: readOptional(section, 'ended_retention', {
      parse: durationText,
      absent: DEFAULT_ENDED_RETENTION_MS,
    }),
    auditRetentionMs: readOptional(section, 'audit_retention', {
      parse: durationText,
      absent: DEFAULT_AUDIT_RETENTION_MS,
    }),
  });
}

/** From `url`, or from `url_file`, which keeps a password out of the configuration. */
function readEngine(section: Section): StoreConfig['engine'] | undefined {
  const text = readSecret(section, 'url', 1)?.reveal();
  if (text === undefined) return undefined;
  const engine = POSTGRES.test(text)
    ? postgresEngine(section.context, text)
    : sqliteEngine(section.context, text);
  if (!(engine instanceof Refusal)) return engine;
  const inFile = section.entries.has('url_file');
  const found = engine.found ?? (inFile || text.includes('@') ? 'another address' : quoteValue(text));
  return fault(section, inFile ? 'url_file' : 'url', { found, wanted: engine.wanted });
}

/** `sqlite:data/doorward.db`, relative to the configuration, or `sqlite:///var/lib/doorward.db`. */
function sqliteEngine(context: ReadContext, text: string): StoreConfig['engine'] | Refusal {
  const path = /^sqlite:(?:\/\/(?=\/))?([^:?#]+)$/.exec(text)?.[1];
  return path === undefined
    ? new Refusal('sqlite: and the path of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE')
    : { kind: 'sqlite', file: resolvePath(context, path) };
}

function postgresEngine(context: ReadContext, text: string): StoreConfig['engine'] | Refusal {
  const address = parsePostgresAddress(text);
  if (address instanceof PostgresAddressRefusal) return new Refusal(address.wanted, address.found);
  const { caFile } = address;
  if (caFile === null || isAbsolute(caFile)) return { kind: 'postgres', url: new Secret(text) };
  const url = new URL(text);
  url.searchParams.set('sslrootcert', resolvePath(context, caFile));
  return { kind: 'postgres', url: new Secret(url.href) };
}

const POSTGRES = /^postgres(?:ql)?:/i;
/** DESIGN "Gateways and store". */
const DEFAULT_OUTAGE_GRACE_MS = 30_000;
/** An operator can see who was in last week. */
const DEFAULT_ENDED_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** A year, and time to look back at its end. */
const DEFAULT_AUDIT_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;
