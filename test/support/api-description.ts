// The API's description (`/openapi.json`) as the tests of it read it.

import { openApiDocument } from '../../src/control/openapi.ts';
import type { Components, JsonSchema } from './json-schema.ts';

export type DescribedParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
};

export type Media = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export type DescribedAnswer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Media;
};

export type DescribedOperation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly 'x-permission'?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Media };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
};

export type Description = {
  readonly openapi: string;
  readonly info: Readonly<Record<string, string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: {
    readonly schemas: Components;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
};

export function apiDescription(): Description {
  // As it is sent: what JSON drops is not there.
  return JSON.parse(JSON.stringify(openApiDocument())) as Description;
}

/** Each operation with its path and its method in capitals. */
export function describedOperations({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}
