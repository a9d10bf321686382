// JSON Schema as the API's description uses it (OpenAPI 3.1, draft 2020-12), by hand, so that the library
// that makes the description is not what checks it. A keyword that this does not know is a fault of the
// schema: nothing passes unchecked.

export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** A schema: of a map, the values under whatever names. */
  readonly additionalProperties?: boolean | JsonSchema;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly description?: string;
};

export type Components = Readonly<Record<string, JsonSchema>>;

/** Follows references; throws for one that leads nowhere. */
export function resolved(schema: JsonSchema, components: Components): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = components[/^#\/components\/schemas\/(\w+)$/.exec(schema.$ref)?.[1] ?? ''];
  if (found === undefined) throw new Error(`${schema.$ref} is not there`);
  return resolved(found, components);
}

/** What is wrong with a value, each with its path. A member that the schema does not name is wrong, too. */
export function schemaFaults(
  given: JsonSchema,
  value: unknown,
  components: Components,
  path = '$',
): readonly string[] {
  const schema = resolved(given, components);
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    return [`${path} is ${JSON.stringify(value)}, not ${types.join(' or ')}`];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${path} is ${JSON.stringify(value)}, not one of ${JSON.stringify(schema.enum)}`];
  if (typeof value === 'string') return stringFaults(schema, value, path);
  if (typeof value === 'number') return rangeFaults(value, [schema.minimum, schema.maximum], path);
  if (Array.isArray(value)) {
    const each = value.flatMap((item, index) =>
      schemaFaults(schema.items ?? {}, item, components, `${path}.${index}`),
    );
    return [...rangeFaults(value.length, [schema.minItems, schema.maxItems], `${path} length`), ...each];
  }
  if (typeof value === 'object' && value !== null) return memberFaults(schema, value, components, path);
  return [];
}

export function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

function memberFaults(
  { properties = {}, required = [], additionalProperties, maxProperties }: JsonSchema,
  value: object,
  components: Components,
  path: string,
): readonly string[] {
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  return [
    ...rangeFaults(Object.keys(value).length, [undefined, maxProperties], `${path} size`),
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const schema =
        properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (schema === undefined) return [`${path}.${name} is not described`];
      return schemaFaults(schema, member, components, `${path}.${name}`);
    }),
  ];
}

function stringFaults(
  { format, minLength, maxLength }: JsonSchema,
  value: string,
  path: string,
): readonly string[] {
  if (format === 'date-time' && !DATE_TIME.test(value)) return [`${path} is "${value}", no date-time`];
  return rangeFaults([...value].length, [minLength, maxLength], `${path} length`);
}

function rangeFaults(
  value: number,
  [least = -Infinity, most = Infinity]: readonly [number | undefined, number | undefined],
  path: string,
): readonly string[] {
  return value < least || value > most ? [`${path} is ${value}, not ${least} to ${most}`] : [];
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** Every keyword above, and what each may hold; the lint of the description reads it. */
export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'maxProperties',
  'items',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'default',
  'example',
  'description',
]);
/** RFC 3339 section 5.6. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
