// The API's description (OpenAPI 3.1), as the reference page reads it: only what ours uses.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly description?: string;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly 'x-permission': string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
        readonly content?: Content;
      }
    >
  >;
};

export type Schemas = Readonly<Record<string, Schema>>;

export type Description = {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
};

export type Place = { readonly path: string; readonly method: string; readonly operation: Operation };

/** Each operation with its path and its method in capitals, in the order of the document. */
export function placesOf({ paths }: Description): readonly Place[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

/** The name of what a reference leads to; null for a schema that stands where it is. */
export function refName({ $ref }: Schema): string | null {
  return $ref === undefined ? null : $ref.slice('#/components/schemas/'.length);
}

/** Throws for a reference that leads nowhere. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = refName(schema);
  if (name === null) return schema;
  const found = schemas[name];
  if (found === undefined) throw new Error(`Cannot find schema ${name}: the description has none`);
  return resolved(found, schemas);
}
