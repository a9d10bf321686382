// The quick start's `doorward.yaml`: its first text, and the addresses in it that follow from the chosen
// port. Whatever else its owner writes there, comments too, stays.

import { randomBytes } from 'node:crypto';
import { type Document, isMap, parseDocument } from 'yaml';
import { ServiceError } from '../../domain/service-error.ts';
import type { Ports } from './ports.ts';

/** The name of the test provider in the configuration. */
export const DEV_PROVIDER = 'dev';
export const DEV_CLIENT_ID = 'doorward';

/** Throws `config_invalid` for what is no YAML mapping. */
export function parseConfigText(text: string, file: string): Document {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined || !isMap(document.contents))
    throw unusable(file, fault?.message.split('\n', 1)[0] ?? 'it contains no configuration');
  return document;
}

/** A first configuration with keys of its own. */
export function newConfig(): Document {
  return parseDocument(`# Made by "doorward quickstart": everything on this machine, for evaluation only.
# Change what you like. The next start keeps it, except for addresses that --port sets.
gateway:
  bind_address: ""
  # Each share answers at a name below this domain. Browsers and curl resolve localhost names to this machine.
  public_url: ""
  # Allowed targets of shares: anything on this machine.
  direct_targets: ["127.0.0.0/8", "::1", localhost]
oauth:
  bind_address: ""
  endpoint_url: ""
  cookie_name: svc-auth-session
  cookie_domain: share.localhost
  session_lifetime: 12h
  intermediate_lifetime: 10m
  signing_key: ${freshKey()}
  encryption_key: ${freshKey()}
  logout_redirect_hosts: ["*.share.localhost"]
  providers:
    # The test provider of the quick start: no passwords, for evaluation only.
    - name: ${DEV_PROVIDER}
      type: oidc
      client_id: ${DEV_CLIENT_ID}
      client_secret: ${freshKey()}
      issuer: ""
      # offline_access requests a refresh token, so that sessions are checked without involving the visitor.
      scopes: [openid, email, profile, offline_access]
      supports_pkce: true
      require_verified_email: true
control:
  bind_address: ""
  public_url: ""
store:
  url: sqlite:data/doorward.db
  master_key_file: master.key
`);
}

/** The gateway's port in a configuration; null when none is written. */
export function portOf(config: Document): number | null {
  const bind = config.getIn(['gateway', 'bind_address']);
  const port = typeof bind === 'string' ? /:(\d+)$/.exec(bind)?.[1] : undefined;
  return port === undefined ? null : Number(port);
}

/**
 * Writes the addresses that follow from the ports. Throws `config_invalid` when the test provider is gone.
 */
export function setPorts(config: Document, ports: Ports, file: string): void {
  const provider = devProviderPath(config, file);
  const values: readonly (readonly [path: readonly (string | number)[], value: string])[] = [
    [['gateway', 'bind_address'], `127.0.0.1:${ports.gateway}`],
    [['gateway', 'public_url'], `http://*.share.localhost:${ports.gateway}`],
    [['oauth', 'bind_address'], `127.0.0.1:${ports.gateway}`],
    [['oauth', 'endpoint_url'], loginUrlAt(ports)],
    [[...provider, 'issuer'], `http://127.0.0.1:${ports.provider}`],
    [['control', 'bind_address'], `127.0.0.1:${ports.control}`],
    [['control', 'public_url'], controlUrlAt(ports)],
  ];
  for (const [path, value] of values) if (config.getIn(path) !== value) config.setIn(path, value);
}

/** The secret that the gateway and the test provider share. */
export function clientSecretOf(config: Document, file: string): string {
  const secret = config.getIn([...devProviderPath(config, file), 'client_secret']);
  if (typeof secret !== 'string') throw unusable(file, `its provider "${DEV_PROVIDER}" has no client_secret`);
  return secret;
}

export function shareUrlAt(ports: Ports, name: string): string {
  return `http://${name}.share.localhost:${ports.gateway}`;
}

export function loginUrlAt(ports: Ports): string {
  return `http://login.share.localhost:${ports.gateway}`;
}

export function controlUrlAt(ports: Ports): string {
  return `http://127.0.0.1:${ports.control}`;
}

function devProviderPath(config: Document, file: string): readonly (string | number)[] {
  const plain = config.toJS() as { oauth?: { providers?: unknown } };
  const providers: unknown = plain.oauth?.providers;
  const index = Array.isArray(providers)
    ? providers.findIndex((provider: unknown) => nameOf(provider) === DEV_PROVIDER)
    : -1;
  if (index < 0) throw unusable(file, `it has no provider "${DEV_PROVIDER}"`);
  return ['oauth', 'providers', index];
}

function nameOf(provider: unknown): unknown {
  return typeof provider === 'object' && provider !== null && 'name' in provider ? provider.name : null;
}

function unusable(file: string, found: string): ServiceError {
  return new ServiceError('config_invalid', `Cannot start with ${file}: ${found}`, {
    hint: 'Run it with "doorward serve --config", or move it away so that the quick start writes a new one.',
  });
}

function freshKey(): string {
  return randomBytes(32).toString('base64url');
}
