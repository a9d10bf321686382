// Provider definitions as people read them.

import type { ConfiguredProvider, ProviderObject } from '../../wire/provider.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';

export function providerText(provider: ProviderObject): string {
  const { config } = provider;
  return alignedRows([
    ['name', provider.name],
    ['type', provider.type],
    ['redirect URL', provider.redirectUrl],
    ['client id', config.clientId],
    ...row('issuer', config.issuerUrl),
    ...row('metadata', config.discoveryUrl),
    ...row('server', config.baseUrl),
    ...row('API', config.apiUrl),
    ['scopes', (config.scopes ?? []).join(' ')],
    ...row('prompt', config.prompt === '' ? 'nothing' : config.prompt),
    ...row('email claim', config.emailClaim),
    ...row('parameters', parametersText(config.loginParameters)),
    ...row('authorities', config.trustedAuthorities === undefined ? undefined : 'its own'),
    ['allowed', config.emailPatterns?.join(', ') || 'any address that the share allows'],
    ['id', provider.id],
  ]);
}

export function providerTable(
  providers: readonly ProviderObject[],
  terminal: Pick<Terminal, 'width'>,
): string {
  return tableText(
    [
      ['NAME', 'TYPE', 'SHARES', 'AT', 'REDIRECT URL'],
      ...providers.map(({ name, type, shares, config, redirectUrl }) => [
        name,
        type,
        String(shares),
        config.issuerUrl ?? config.baseUrl ?? '',
        redirectUrl,
      ]),
    ],
    terminal,
  );
}

/** What every account may use; nothing where the configuration has none. */
export function configuredText(configured: readonly ConfiguredProvider[]): string {
  if (configured.length === 0) return '';
  return `Of the configuration: ${configured.map(({ name }) => name).join(', ')}\n`;
}

function parametersText(parameters: Readonly<Record<string, string>> | undefined): string | undefined {
  const all = Object.entries(parameters ?? {}).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? undefined : all.join(', ');
}

function row(label: string, value: string | undefined): readonly (readonly string[])[] {
  return value === undefined ? [] : [[label, value]];
}
