// What the stand-in uses of oidc-provider, which comes without types.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';

export type KoaContext = {
  readonly path: string;
  readonly url: string;
  readonly status: number;
  readonly req: IncomingMessage;
  readonly oidc?: { readonly params?: Readonly<Record<string, unknown>> };
};
export type InteractionDetails = {
  readonly prompt: { readonly name: string };
  readonly params: Readonly<Record<string, unknown>>;
  readonly session?: { readonly accountId?: string };
  readonly grantId?: string;
};
export type GrantModel = {
  addOIDCScope(scope: string): void;
  addOIDCClaims(claims: readonly string[]): void;
  save(): Promise<string>;
};
export type ProviderLibrary = {
  use(middleware: (context: KoaContext, next: () => Promise<void>) => Promise<void>): void;
  on(event: string, listener: () => void): void;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: unknown,
    options: { readonly mergeWithLastSubmission: boolean },
  ): Promise<void>;
  readonly Grant: { new (fields: unknown): GrantModel; find(id: string): Promise<GrantModel> };
};
export const { default: Provider } = createRequire(import.meta.url)('oidc-provider') as {
  readonly default: new (issuer: string, settings: unknown) => ProviderLibrary;
};
