// `doorward.yaml` to a `Config` (DESIGN 2.1; contract 2.1, 2.2, 8), or to the list of all that is wrong with
// it.

import { checkTogether } from './check-together.ts';
import { type ConfigFault, createFaultList, locateIn, type Position } from './config-fault.ts';
import type { Config } from './config.ts';
import { keysOf, TOP_FIELDS } from './describe.ts';
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
import { SECTION_FIELDS, type SectionKey } from './sections.ts';
import { complete, openSection, readBoolean, readList, type ReadContext, type Section } from './section.ts';
import { writtenKeys } from './written-keys.ts';
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
    acme: top.entries.has('acme') ? read(top, 'acme', readAcme) : null,
    gateway: read(top, 'gateway', (section) => readGateway(section, certificates)),
    oauth: read(top, 'oauth', (section) => readOAuth(section, certificates)),
    control: read(top, 'control', (section) => readControl(section, certificates)),
    tunnel: top.entries.has('tunnel')
      ? read(top, 'tunnel', (section) => readPublicListener(section, certificates))
      : null,
    forwardAuth: top.entries.has('forward_auth') ? read(top, 'forward_auth', readForwardAuth) : null,
    pki: top.entries.has('pki') ? read(top, 'pki', readPki) : null,
    metrics: top.entries.has('metrics')
      ? read(top, 'metrics', (section) => readMetrics(section, certificates))
      : null,
    tracing: top.entries.has('tracing') ? read(top, 'tracing', readTracing) : null,
  };
  checkTogether(parts, context.list);
  return complete({
    file: context.file,
    written: writtenKeys(tree),
    tls,
    ...parts,
    store: read(top, 'store', readStore),
    outboundAllow: readList(top, 'outbound_allow', { parse: entryText, absent: [] }),
    brand: top.entries.has('brand') ? read(top, 'brand', readBrand) : readBrand(null),
    limits: top.entries.has('limits') ? read(top, 'limits', readLimits) : readLimits(null),
    log: top.entries.has('log') ? read(top, 'log', readLog) : readLog(null),
  });
}

function read<T>(top: Section, key: SectionKey, reader: (section: Section) => T | undefined): T | undefined {
  const section = openSection(top.context, {
    path: key,
    tree: top.entries.get(key),
    known: keysOf(SECTION_FIELDS[key]),
  });
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
