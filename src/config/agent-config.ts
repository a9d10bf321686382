// `agent.yaml` to an `AgentConfig`, or to the list of all that is wrong with it: what `doorward agent` keeps up. Whether a target can
// be served is the agent's to judge; `locate` tells where it stands.

import { parseApiKey } from '../domain/api-key.ts';
import { compileEmailPattern } from '../domain/email-pattern.ts';
import { parseOrigin } from '../domain/origin.ts';
import type { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { SHARE_ACCESSES, type ShareAccess } from '../domain/share-access.ts';
import { isShareName } from '../domain/share-name.ts';
import { requireTextGlob } from '../domain/text-glob.ts';
import { baseUrlText } from './address-text.ts';
import { type ConfigFault, createFaultList, locateIn, type Position } from './config-fault.ts';
import { AGENT_CERTIFICATE_FIELDS, AGENT_FIELDS, AGENT_SHARE_FIELDS } from './describe-agent.ts';
import { keysOf } from './describe.ts';
import type { ConfigSource } from './parse.ts';
import {
  allRead,
  complete,
  durationText,
  fault,
  joinPath,
  listAt,
  openSection,
  readBoolean,
  readList,
  readOptional,
  readSecret,
  readText,
  Refusal,
  type Section,
} from './section.ts';
import { readTree } from './yaml-tree.ts';

export type AgentConfig = {
  /** The control API. */
  readonly url: URL;
  /** Null where a client certificate is to do. */
  readonly apiKey: Secret | null;
  /** The key may go to other machines in the clear. */
  readonly allowPlainHttp: boolean;
  /** At least one, each name once. */
  readonly shares: readonly AgentShare[];
};

/** Null for what the file does not say: the share keeps it as it is. */
export type AgentShare = {
  readonly name: string;
  readonly target: string;
  readonly insecure: boolean;
  readonly oauthProvider: string | null;
  readonly oauthEmailAddressPatterns: readonly string[] | null;
  /** `3h`. */
  readonly oauthCheckInterval: string | null;
  readonly clientCertificate: AgentCertificate | null;
  /** A new share may be open to everyone. */
  readonly open: boolean;
  readonly access: ShareAccess | null;
  readonly allowOrigins: readonly string[] | null;
};

/** Globs; null for what the file does not say. */
export type AgentCertificate = {
  readonly required: boolean;
  readonly subject: string | null;
  readonly unit: string | null;
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
    found: 'a text that is no API key',
    wanted: 'an API key (dw_…), as "doorward api-key create" shows it once',
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
  if (!section.entries.has('oauth_provider'))
    for (const key of ['oauth_email_address_patterns', 'oauth_check_interval'])
      if (section.entries.has(key))
        fault(section, key, { found: 'no oauth_provider beside it', wanted: 'an oauth_provider, too' });
  return complete({
    name,
    target: readText(section, 'target', (text) => text),
    insecure: readBoolean(section, 'insecure', false),
    oauthProvider: readOptional(section, 'oauth_provider', { parse: providerText, absent: null }),
    oauthEmailAddressPatterns: readList(section, 'oauth_email_address_patterns', {
      parse: patternText,
      absent: null,
    }),
    oauthCheckInterval: readOptional(section, 'oauth_check_interval', { parse: intervalText, absent: null }),
    clientCertificate: readCertificate(section),
    open: readOpen(section),
    access: readAccess(section),
    allowOrigins: readList(section, 'allow_origins', { parse: originText, absent: null }),
  });
}

function readCertificate(section: Section): AgentCertificate | null | undefined {
  const key = 'client_certificate';
  if (!section.entries.has(key)) return null;
  const path = joinPath(section.path, key);
  const known = keysOf(AGENT_CERTIFICATE_FIELDS);
  const certificate = openSection(section.context, { path, tree: section.entries.get(key), known });
  if (certificate === undefined) return undefined;
  const required = readBoolean(certificate, 'required', undefined);
  for (const glob of ['subject', 'unit'])
    if (required === false && certificate.entries.has(glob))
      fault(certificate, glob, {
        found: 'a glob where no certificate is required',
        wanted: 'required: true',
      });
  return complete({
    required,
    subject: readOptional(certificate, 'subject', { parse: globText, absent: null }),
    unit: readOptional(certificate, 'unit', { parse: globText, absent: null }),
  });
}

/** The API would refuse to make a share with a choice between less than two. */
function readAccess(section: Section): ShareAccess | null | undefined {
  const access = readOptional(section, 'access', { parse: accessText, absent: null });
  const certificate = section.entries.get('client_certificate');
  const both =
    section.entries.has('oauth_provider') &&
    certificate instanceof Map &&
    certificate.get('required') === true;
  if (access !== 'either' || both) return access;
  return fault(section, 'access', {
    found: '"either" without both of login and certificate beside it',
    wanted: 'an oauth_provider and a client_certificate with required: true, too',
  });
}

function readOpen(section: Section): boolean | undefined {
  const open = readBoolean(section, 'open', false);
  if (open !== true) return open;
  const certificate = section.entries.get('client_certificate');
  const protection = section.entries.has('oauth_provider')
    ? 'an oauth_provider'
    : certificate instanceof Map && certificate.get('required') === true
      ? 'a required client_certificate'
      : null;
  if (protection === null) return open;
  return fault(section, 'open', { found: `${protection} beside it`, wanted: 'one or the other' });
}

function accessText(text: string): ShareAccess | Refusal {
  return SHARE_ACCESSES.find((access) => access === text) ?? new Refusal('"all" or "either"');
}

function globText(text: string): string | Refusal {
  return accepted(
    requireTextGlob,
    text,
    'a glob of 1 to 256 characters with at most 16 *, such as build-*.ci',
  );
}

function nameText(text: string): string | Refusal {
  return isShareName(text) ? text : new Refusal('a name of a-z, 0-9 and -, at most 40 characters');
}

function providerText(text: string): string | Refusal {
  return /^[a-z0-9-]{1,40}$/.test(text) ? text : new Refusal('the name of a provider: a-z, 0-9 and -');
}

function intervalText(text: string): string | Refusal {
  const durationMs = durationText(text);
  return durationMs instanceof Refusal ? durationMs : text;
}

function patternText(text: string): string | Refusal {
  return accepted(compileEmailPattern, text, 'an email glob, such as *@example.com');
}

function originText(text: string): string | Refusal {
  return accepted(parseOrigin, text, 'scheme, host and port without a path, such as https://app.example.com');
}

/** The text, when the parser does not throw. */
function accepted(parse: (text: string) => unknown, text: string, wanted: string): string | Refusal {
  try {
    parse(text);
    return text;
  } catch (error) {
    if (error instanceof ServiceError) return new Refusal(wanted);
    throw error;
  }
}
