// `doorward.yaml` to a `Config` (DESIGN 2.1; contract 2.1, 2.2, 8), or to the list of all that is wrong with
// it.

import { checkTogether } from './check-together.ts';
import { type ConfigFault, createFaultList, locateIn, type Position } from './config-fault.ts';
import type { Config } from './config.ts';
import {
  BRAND_FIELDS,
  CONTROL_FIELDS,
  FORWARD_AUTH_FIELDS,
  type Fields,
  GATEWAY_FIELDS,
  keysOf,
  LIMIT_FIELDS,
  LOG_FIELDS,
  METRICS_FIELDS,
  TRACING_FIELDS,
  PKI_FIELDS,
  OAUTH_FIELDS,
  STORE_FIELDS,
  TOP_FIELDS,
  TUNNEL_FIELDS,
} from './describe.ts';
import { ACME_FIELDS } from './describe-acme.ts';
import { readAcme } from './read-acme.ts';
import { entryText, readGateway } from './read-gateway.ts';
import { readLimits } from './read-limits.ts';
import { readTracing } from './read-tracing.ts';
import { readMetrics } from './read-metrics.ts';
import { readOAuth } from './read-oauth.ts';
import {
  readBrand,
  readControl,
  readForwardAuth,
  readLog,
  readPki,
  readPublicListener,
  readTlsFilesList,
} from './read-sections.ts';
import { readStore } from './read-store.ts';
import { complete, openSection, readBoolean, readList, type ReadContext, type Section } from './section.ts';
import { readTree, type ReadTree } from './yaml-tree.ts';

export type ConfigSource = {
  /** The absolute path of the file, against which relative paths in it are resolved. */
  readonly file: string;
  /** The bytes of a file that the configuration names; throws when it cannot be read. */
  readonly readFile: (path: string) => Uint8Array;
};

export type ParsedConfig =
  /** `locate` tells where a path stands in the file, for faults that are found later. */
  | { readonly config: Config; readonly locate: (path: string) => Position }
  /** In the order of the file. */
  | { readonly faults: readonly ConfigFault[] };

/** Reads the text of a configuration. Never throws. */
export function parseConfig(text: string, source: ConfigSource): ParsedConfig {
  const tree = readTree(text);
  if (tree.faults.length > 0) return { faults: tree.faults };
  const locate = (path: string): Position => locateIn(tree.positions, path);
  const list = createFaultList(locate);
  const config = readConfig(tree, { ...source, list, allowPlainHttp: allowsPlainHttp(tree) });
  if (config !== undefined && list.faults.length === 0) return { config: deepFreeze(config), locate };
  return { faults: list.faults.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

function readConfig(tree: ReadTree, context: ReadContext): Config | undefined {
  const top = openSection(context, { path: '', tree: tree.root ?? new Map(), known: keysOf(TOP_FIELDS) });
  if (top === undefined) return undefined;
  readBoolean(top, 'allow_plain_http', false);
  const tls = readTlsFilesList(top);
  const certificates = (top.entries.has('tls') && tls?.length !== 0) || top.entries.has('acme');
  const parts = {
    acme: top.entries.has('acme') ? read(top, { key: 'acme', fields: ACME_FIELDS }, readAcme) : null,
    gateway: read(top, { key: 'gateway', fields: GATEWAY_FIELDS }, (section) =>
      readGateway(section, certificates),
    ),
    oauth: read(top, { key: 'oauth', fields: OAUTH_FIELDS }, (section) => readOAuth(section, certificates)),
    control: read(top, { key: 'control', fields: CONTROL_FIELDS }, (section) =>
      readControl(section, certificates),
    ),
    tunnel: top.entries.has('tunnel')
      ? read(top, { key: 'tunnel', fields: TUNNEL_FIELDS }, (section) =>
          readPublicListener(section, certificates),
        )
      : null,
    forwardAuth: top.entries.has('forward_auth')
      ? read(top, { key: 'forward_auth', fields: FORWARD_AUTH_FIELDS }, readForwardAuth)
      : null,
    pki: top.entries.has('pki') ? read(top, { key: 'pki', fields: PKI_FIELDS }, readPki) : null,
    metrics: top.entries.has('metrics')
      ? read(top, { key: 'metrics', fields: METRICS_FIELDS }, (section) => readMetrics(section, certificates))
      : null,
    tracing: top.entries.has('tracing')
      ? read(top, { key: 'tracing', fields: TRACING_FIELDS }, readTracing)
      : null,
  };
  checkTogether(parts, context.list);
  return complete({
    file: context.file,
    tls,
    ...parts,
    store: read(top, { key: 'store', fields: STORE_FIELDS }, readStore),
    outboundAllow: readList(top, 'outbound_allow', { parse: entryText, absent: [] }),
    brand: top.entries.has('brand')
      ? read(top, { key: 'brand', fields: BRAND_FIELDS }, readBrand)
      : readBrand(null),
    limits: top.entries.has('limits')
      ? read(top, { key: 'limits', fields: LIMIT_FIELDS }, readLimits)
      : readLimits(null),
    log: top.entries.has('log') ? read(top, { key: 'log', fields: LOG_FIELDS }, readLog) : readLog(null),
  });
}

function read<T>(
  top: Section,
  { key, fields }: { key: string; fields: Fields },
  reader: (section: Section) => T | undefined,
): T | undefined {
  const section = openSection(top.context, { path: key, tree: top.entries.get(key), known: keysOf(fields) });
  return section === undefined ? undefined : reader(section);
}

/** Asked before the sections are read, since all of them depend on it. */
function allowsPlainHttp(tree: ReadTree): boolean {
  return tree.root instanceof Map && tree.root.get('allow_plain_http') === true;
}

function deepFreeze<T>(value: T): T {
  const plain = Array.isArray(value) || (typeof value === 'object' && value?.constructor === Object);
  if (plain) for (const part of Object.values(value as object)) deepFreeze(part);
  return plain ? Object.freeze(value) : value;
}
