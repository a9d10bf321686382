// A state file (`doorward apply`) to the state that the control API takes, or to the list of all that is
// wrong with its form. Whether values mean something is the API's to judge; `locate` tells where what it
// names stands.

import { FIELD_NAMES } from '../domain/provider-fields.ts';
import {
  DEFINITION_TYPES,
  type DefinitionType,
  fieldsOf,
  kindOfDefinition,
} from '../domain/provider-kinds.ts';
import { snakeCase } from '../domain/share-values.ts';
import type { AccountState } from '../wire/state.ts';
import { type ConfigFault, createFaultList, locateIn, nearestWord, type Position } from './config-fault.ts';
import { type Fields, keysOf } from './describe.ts';
import {
  STATE_FIELDS,
  STATE_HOST_FIELDS,
  STATE_POLICY_FIELDS,
  STATE_PROVIDER_FIELDS,
  STATE_SHARE_FIELDS,
  STATE_TOKEN_FIELDS,
  STATE_WEBHOOK_FIELDS,
} from './describe-state.ts';
import { readShareSettings } from './read-share-settings.ts';
import { plain } from './rule-tree.ts';
import {
  allRead,
  fault,
  joinPath,
  openSection,
  type ReadContext,
  readText,
  Refusal,
  type Section,
} from './section.ts';
import { readStateSecret, type StateSource } from './state-secret.ts';
import { readTree, type Tree } from './yaml-tree.ts';

export type ParsedState =
  | {
      readonly state: AccountState;
      /** Of a path of the API, such as `state.shares.3.oauthProvider`: how the file writes it, and where. */
      readonly locate: (path: string) => Position & { readonly path: string };
    }
  /** In the order of the file. */
  | { readonly faults: readonly ConfigFault[] };

/** Reads the text of a state file. Never throws. */
export function parseState(text: string, source: StateSource): ParsedState {
  const tree = readTree(text, MAX_TEXT_LENGTH);
  if (tree.faults.length > 0) return { faults: tree.faults };
  const place = (path: string): Position => locateIn(tree.positions, path);
  const list = createFaultList(place);
  const context: ReadContext = { ...source, list, allowPlainHttp: false };
  const top = openSection(context, { path: '', tree: tree.root ?? new Map(), known: keysOf(STATE_FIELDS) });
  const state = top === undefined ? undefined : readState(top, source);
  if (state !== undefined && list.faults.length === 0)
    return {
      state,
      locate: (path) => {
        const inFile = filePath(path);
        return { path: inFile, ...place(inFile) };
      },
    };
  return { faults: list.faults.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

function readState(top: Section, source: StateSource): AccountState | undefined {
  const policy = { fields: STATE_POLICY_FIELDS, read: camelEntries };
  const read: Readonly<Record<string, unknown>> = {
    providers: readEntries(top, 'providers', (section) => readProvider(section, source)),
    shares: readEntries(top, 'shares', readShare, STATE_SHARE_FIELDS),
    hosts: readEntries(top, 'hosts', camelEntries, STATE_HOST_FIELDS),
    tokens: readEntries(top, 'tokens', camelEntries, STATE_TOKEN_FIELDS),
    webhooks: readEntries(top, 'webhooks', (section) => readWebhook(section, source), STATE_WEBHOOK_FIELDS),
    certificatePolicy: readPart(top, 'certificate_policy', policy),
  };
  const there = Object.entries(read).filter(([, value]) => value !== null);
  if (there.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(there) as AccountState;
}

type Reader = (section: Section) => object | undefined;

/** Null for a section that the file does not have; undefined, and faults, for one that is wrong. */
function readEntries(
  top: Section,
  key: string,
  read: Reader,
  fields?: Fields,
): readonly object[] | null | undefined {
  if (!top.entries.has(key)) return null;
  const items = top.entries.get(key);
  if (!Array.isArray(items)) return fault(top, key, { found: 'no list', wanted: 'a list; [] for none' });
  return allRead(
    (items as readonly Tree[]).map((tree, index) => {
      const path = `${key}[${index}]`;
      const known = fields === undefined ? providerKeys(tree) : keysOf(fields);
      const section = openSection(top.context, { path, tree, known });
      return section === undefined ? undefined : read(section);
    }),
  );
}

function readPart(
  top: Section,
  key: string,
  { fields, read }: { readonly fields: Fields; readonly read: Reader },
): object | null | undefined {
  if (!top.entries.has(key)) return null;
  const section = openSection(top.context, {
    path: key,
    tree: top.entries.get(key),
    known: keysOf(fields),
  });
  return section === undefined ? undefined : read(section);
}

/** What the type says that it has; until it is known, all that any type has. */
function providerKeys(tree: Tree): readonly string[] {
  const type = tree instanceof Map ? typeOf(tree.get('type')) : undefined;
  const names = type === undefined ? FIELD_NAMES : fieldsOf(kindOfDefinition(type)).map(([name]) => name);
  return [...keysOf(STATE_PROVIDER_FIELDS), ...names.map(snakeCase)];
}

function typeOf(value: Tree | undefined): DefinitionType | undefined {
  return DEFINITION_TYPES.find((type) => type === value);
}

function readProvider(section: Section, source: StateSource): object | undefined {
  const name = readText(section, 'name', (text) => text);
  const type = readText(section, 'type', typeText);
  const {
    name: _name,
    type: _type,
    clientSecret: _s,
    clientPrivateKey: _k,
    ...config
  } = camelEntries(section);
  const secrets = readSecrets(section, ['client_secret', 'client_private_key'], source);
  if (name === undefined || type === undefined || secrets === undefined) return undefined;
  return { name, type, config: { ...config, ...secrets } };
}

function typeText(text: string): DefinitionType | Refusal {
  const type = typeOf(text);
  if (type !== undefined) return type;
  const nearest = nearestWord(text.toUpperCase(), DEFINITION_TYPES);
  const one = `one of ${DEFINITION_TYPES.join(', ')}`;
  return new Refusal(nearest === null ? one : `${one}; the nearest is "${nearest}"`);
}

function readShare(section: Section): object | undefined {
  const name = readText(section, 'name', (text) => text);
  const settings = readShareSettings(section);
  const backend = ['target', 'tunnel'].flatMap((key) =>
    section.entries.has(key) ? [[key, section.entries.get(key)] as const] : [],
  );
  const isBehind = section.entries.get('behind') === true;
  if (backend.length + (isBehind ? 1 : 0) !== 1)
    section.context.list.add(
      section.path,
      backend.length === 0
        ? 'neither target, tunnel nor behind'
        : 'more than one of target, tunnel and behind',
      'target: URL, tunnel: reserved for a share that agents serve, or behind: true for one behind your own proxy',
    );
  if (name === undefined || settings === undefined) return undefined;
  return { name, ...Object.fromEntries(backend), ...settings };
}

function readWebhook(section: Section, source: StateSource): object | undefined {
  const { secret: _secret, ...webhook } = camelEntries(section);
  const secrets = readSecrets(section, ['secret'], source);
  return secrets === undefined ? undefined : { ...webhook, ...secrets };
}

/** Those that are there, under the names of the API. */
function readSecrets(section: Section, keys: readonly string[], source: StateSource): object | undefined {
  const there = keys.filter((key) => section.entries.has(key));
  const read = there.map((key) => [camelCase(key), readStateSecret(section, key, source)] as const);
  return read.some(([, secret]) => secret === undefined) ? undefined : Object.fromEntries(read);
}

/** Values as they are, under the names of the API. */
function camelEntries(section: Section): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...section.entries].map(([key, tree]) => [camelCase(key), plain(tree)]));
}

function camelCase(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** `state.providers.0.config.issuerUrl` is `providers[0].issuer_url` in the file. */
function filePath(path: string): string {
  const [first, ...parts] = path.split('.');
  const rest = first === 'state' ? parts : [first ?? '', ...parts];
  return rest.reduce((written, part, index) => {
    if (part === 'config' && rest[0] === 'providers' && index === 2) return written;
    return /^\d+$/.test(part) ? `${written}[${part}]` : joinPath(written, snakeCase(part));
  }, '');
}

/** As much as the control API takes. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;
