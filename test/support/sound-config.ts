// A sound configuration as a value, to change in one place and read as YAML.

import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { ConfigFault } from '../../src/config/config-fault.ts';
import type { Config } from '../../src/config/config.ts';
import { parseConfig, type ParsedConfig } from '../../src/config/parse.ts';

export type Value = string | number | boolean | null | readonly Value[] | { readonly [Key in string]: Value };

export const SIGNING_KEY = 'signing-key-of-thirty-two-chars!';
export const ENCRYPTION_KEY = 'encryption-key-24-chars!';

export const SOUND: Value = {
  gateway: { bind_address: '0.0.0.0:443', public_url: 'https://*.share.example.com' },
  oauth: {
    bind_address: '127.0.0.1:8081',
    endpoint_url: 'https://auth.share.example.com',
    cookie_name: 'svc-auth-session',
    cookie_domain: 'share.example.com',
    session_lifetime: '6h',
    intermediate_lifetime: '5m',
    signing_key: SIGNING_KEY,
    encryption_key: ENCRYPTION_KEY,
    providers: [
      {
        name: 'corp',
        type: 'oidc',
        client_id: 'doorward',
        client_secret: 'the-client-secret',
        issuer: 'https://id.example.com',
        scopes: ['openid', 'email', 'profile'],
        supports_pkce: true,
      },
    ],
  },
  control: { bind_address: '127.0.0.1:8282', public_url: 'https://control.example.com' },
  store: { url: 'sqlite:data/doorward.db', master_key_file: 'master.key' },
};

/** Content by absolute path, one byte a character. */
type Files = Readonly<Record<string, string>>;

/** Stands for "take this key out". */
export const ABSENT = Symbol('absent');

/** A value with the part at a path (`oauth.providers[0].name`) replaced or taken out. */
export function changed(value: Value, path: string, part: Value | typeof ABSENT): Value {
  const copy: unknown = structuredClone(value);
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() ?? '';
  let holder = copy as Record<string, unknown>;
  for (const step of steps) holder = holder[step] as Record<string, unknown>;
  if (part === ABSENT) delete holder[last];
  else holder[last] = part;
  return copy as Value;
}

/** The configuration that a sound value becomes. */
export function soundOf(value: Value, files?: Files): Config {
  const parsed = parseValue(value, files);
  assert.ok('config' in parsed, JSON.stringify(parsed));
  return parsed.config;
}

/** The faults of a value that has some. */
export function faultsOf(value: Value, files?: Files): readonly ConfigFault[] {
  const parsed = parseValue(value, files);
  assert.ok('faults' in parsed, 'no fault was found');
  return parsed.faults;
}

/** Reads a value as `/etc/doorward/doorward.yaml`, beside which lie these files. */
export function parseValue(value: Value, files: Files = {}): ParsedConfig {
  return parseText(stringify(value, { aliasDuplicateObjects: false }), files);
}

export function parseText(text: string, files: Files = {}): ParsedConfig {
  const readFile = (path: string): Uint8Array => {
    const content = files[path];
    if (content === undefined) throw new Error('no such file');
    return Buffer.from(content, 'latin1');
  };
  return parseConfig(text, { file: '/etc/doorward/doorward.yaml', readFile });
}

/** The path of the one provider. */
export const P = 'oauth.providers[0]';
