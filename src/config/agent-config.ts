// `agent.yaml` to an `AgentConfig`, or to the list of all that is wrong with it: what `doorward agent` keeps
// up. Whether a target can be served is the agent's to judge; `locate` tells where it stands.

import { parseApiKey } from '../domain/api-key.ts';
import type { Secret } from '../domain/secret.ts';
import { isShareName } from '../domain/share-name.ts';
import type { SaidSettings } from '../domain/share-values.ts';
import { baseUrlText } from './address-text.ts';
import { type ConfigFault, createFaultList, locateIn, type Position } from './config-fault.ts';
import { AGENT_FIELDS, AGENT_SHARE_FIELDS } from './describe-agent.ts';
import { keysOf } from './describe.ts';
import type { ConfigSource } from './parse.ts';
import { readShareSettings } from './read-share-settings.ts';
import {
  allRead,
  complete,
  fault,
  listAt,
  openSection,
  readBoolean,
  readOptional,
  readSecret,
  readText,
  Refusal,
  resolvePath,
  type Section,
} from './section.ts';
import { readTree } from './yaml-tree.ts';

export type AgentConfig = {
  /** The control API. */
  readonly url: URL;
  /** Null where a client certificate is to do. */
  readonly apiKey: Secret | null;
  /** Where the agent's client certificate is, absolute; null where the file names none. */
  readonly certificateFiles: NamedCertificateFiles | null;
  /** The key may go to other machines in the clear. */
  readonly allowPlainHttp: boolean;
  /** At least one, each name once. */
  readonly shares: readonly AgentShare[];
};

/** `key` is null for the one beside the certificate. */
export type NamedCertificateFiles = { readonly certificate: string; readonly key: string | null };

export type AgentShare = {
  readonly name: string;
  readonly target: string;
  readonly insecure: boolean;
  readonly settings: SaidSettings;
};

export type ParsedAgentConfig =
  | { readonly config: AgentConfig; readonly locate: (path: string) => Position }
  /** In the order of the file. */
  | { readonly faults: readonly ConfigFault[] };

/** Reads the text of an agent's configuration. Never throws. */
export function parseAgentConfig(text: string, source: ConfigSource): ParsedAgentConfig {
  const tree = readTree(text);
  if (tree.faults.length > 0) return { faults: tree.faults };
  const locate = (path: string): Position => locateIn(tree.positions, path);
  const list = createFaultList(locate);
  const allowPlainHttp = tree.root instanceof Map && tree.root.get('allow_plain_http') === true;
  const top = openSection(
    { ...source, list, allowPlainHttp },
    { path: '', tree: tree.root ?? new Map(), known: keysOf(AGENT_FIELDS) },
  );
  const config = top === undefined ? undefined : readAgent(top);
  if (config !== undefined && list.faults.length === 0) return { config, locate };
  return { faults: list.faults.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

function readAgent(top: Section): AgentConfig | undefined {
  return complete({
    url: readText(top, 'url', baseUrlText(top.context)),
    apiKey: readApiKey(top),
    certificateFiles: readCertificateFiles(top),
    allowPlainHttp: readBoolean(top, 'allow_plain_http', false),
    shares: readShares(top),
  });
}

/** What is wrong with it is told without telling it. */
function readApiKey(top: Section): Secret | null | undefined {
  if (!top.entries.has('api_key') && !top.entries.has('api_key_file')) return null;
  const secret = readSecret(top, 'api_key', 1);
  if (secret === undefined || parseApiKey(secret.reveal()) !== null) return secret;
  return fault(top, top.entries.has('api_key_file') ? 'api_key_file' : 'api_key', {
    found: 'a text that is not an API key',
    wanted: 'an API key (dw_…) from "doorward api-key create"',
  });
}

/** Whether they hold a certificate and its key is judged when they are shown: they are renewed meanwhile. */
function readCertificateFiles(top: Section): NamedCertificateFiles | null | undefined {
  const parse = (text: string) => resolvePath(top.context, text);
  const certificate = readOptional(top, 'client_certificate_file', { parse, absent: null });
  const key = readOptional(top, 'client_key_file', { parse, absent: null });
  if (certificate === undefined || key === undefined) return undefined;
  if (certificate !== null) return { certificate, key };
  if (key === null) return null;
  return fault(top, 'client_key_file', {
    found: 'the key of no certificate',
    wanted: 'client_certificate_file as well',
  });
}

function readShares(top: Section): readonly AgentShare[] | undefined {
  const items = listAt(top, 'shares');
  if (items?.length === 0) return fault(top, 'shares', { found: 'an empty list', wanted: 'a share' });
  const names = new Set<string>();
  const shares = items?.map((tree, index) => {
    const path = `shares[${index}]`;
    const section = openSection(top.context, { path, tree, known: keysOf(AGENT_SHARE_FIELDS) });
    return section === undefined ? undefined : readShare(section, names);
  });
  return shares === undefined ? undefined : allRead(shares);
}

function readShare(section: Section, names: Set<string>): AgentShare | undefined {
  const name = readText(section, 'name', nameText);
  if (name !== undefined && names.has(name))
    fault(section, 'name', { found: 'the name of another share of this file', wanted: 'each name once' });
  else if (name !== undefined) names.add(name);
  return complete({
    name,
    target: readText(section, 'target', (text) => text),
    insecure: readBoolean(section, 'insecure', false),
    settings: readShareSettings(section),
  });
}

function nameText(text: string): string | Refusal {
  return isShareName(text) ? text : new Refusal('a name of a-z, 0-9 and -, at most 40 characters');
}
