// The part of oidc-provider 9 that is used here; the package ships no types.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = {
    [member: string]: unknown;
    uid?: unknown;
    grantId?: unknown;
    consumed?: unknown;
  };

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Grant {
    addOIDCScope(scopes: string): void;
    save(): Promise<string>;
  }

  export type Context = {
    body: unknown;
    type: string;
    set(name: string, value: string): void;
    readonly oidc: {
      readonly provider: Provider;
      readonly client: { readonly clientId: string; readonly clientName?: string };
      readonly session: { readonly accountId: string; grantIdFor(clientId: string): string | undefined };
    };
  };

  export type Interaction = {
    readonly uid: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly prompt: { readonly name: string };
  };

  export default class Provider {
    constructor(issuer: string, settings: Readonly<Record<string, unknown>>);
    readonly Grant: {
      new (of: { readonly accountId: string; readonly clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly Client: { find(id: string): Promise<{ readonly clientName?: string } | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { readonly mergeWithLastSubmission?: boolean },
    ): Promise<void>;
  }

  export const interactionPolicy: {
    readonly Prompt: new (of: { readonly name: string; readonly requestable: boolean }) => Prompt;
    readonly base: () => {
      get(name: string): Prompt | undefined;
      add(prompt: Prompt, index?: number): void;
    };
  };

  export type Prompt = { readonly checks: { clear(): void } };
}
