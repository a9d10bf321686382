// Logins that are for the control plane and not for a share: its sealed request, and the part of an attempt
// that says so (DESIGN "Who may use which provider"). The control plane asks for the login and judges who
// came; here nobody is a member. What is sealed holds no invitation token, only the invitation's id.

import type { Provider } from '../providers/provider.ts';
import type { LoginDeps } from './login-deps.ts';
import type { ConsoleTarget } from './login-target.ts';
import { loginUrl } from './login-url.ts';
import {
  type Field,
  hashField,
  idField,
  numberField,
  readRecord,
  type RecordReader,
  textField,
} from './record.ts';
import type { Seal } from './seal.ts';

export type ConsoleRequest = ConsoleTarget & {
  readonly providerName: string;
  /** The provider is asked for another account. */
  readonly selectAccount: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

export function sealConsoleRequest(seal: Seal, request: ConsoleRequest): string {
  const content = Buffer.concat([
    numberField(VERSION, 1),
    numberField(request.expiresAt, MILLISECONDS_BYTES),
    numberField(request.selectAccount ? 1 : 0, 1),
    textField(request.providerName, 1),
    consoleFields(request),
  ]);
  return seal.seal('console-request', content);
}

/** Null when it was not sealed here as one; `expiresAt` is the caller's to check. Never throws. */
export function openConsoleRequest(seal: Seal, sealed: string): ConsoleRequest | null {
  const content = seal.open('console-request', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): ConsoleRequest => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return {
      expiresAt: reader.number(MILLISECONDS_BYTES),
      selectAccount: reader.flag(),
      providerName: reader.text(1),
      ...readConsole(reader),
    };
  });
}

export function consoleFields({ bindingHash, invitation, accountName }: Omit<ConsoleTarget, 'kind'>): Field {
  return Buffer.concat([
    hashField(bindingHash),
    numberField(invitation === null ? 0 : 1, 1),
    ...(invitation === null ? [] : [idField(invitation)]),
    textField(accountName ?? '', 1),
  ]);
}

export function readConsole(reader: RecordReader): ConsoleTarget {
  return {
    kind: 'console',
    bindingHash: reader.hash(),
    invitation: reader.flag() ? reader.id('inv') : null,
    accountName: reader.text(1) || null,
  };
}

/** The address that starts the login again and asks the provider for another account. */
export function otherConsoleAccountUrl(deps: LoginDeps, provider: Provider, target: ConsoleTarget): string {
  const { endpointUrl, intermediateLifetimeMs } = deps.oauth;
  const request = sealConsoleRequest(deps.seal, {
    ...target,
    providerName: provider.name,
    selectAccount: true,
    expiresAt: deps.now() + intermediateLifetimeMs,
  });
  return loginUrl(endpointUrl, provider.name, request);
}

const VERSION = 1;
const MILLISECONDS_BYTES = 6;
