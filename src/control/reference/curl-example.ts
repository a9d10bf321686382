// A call of an operation as somebody would type it into a shell: made of the description's own examples.

import { ANYONE, HOLDER, IN_PERSON, ONESELF } from '../authorize.ts';
import type { Parameter, Place, Schema, Schemas } from './description.ts';
import { resolved } from './description.ts';

/**
 * For a POSIX shell with `DOORWARD_URL` and `DOORWARD_API_KEY` in its environment; `DOORWARD_COOKIE` is the
 * cookie of a login.
 */
export function curlExample({ path, method, operation }: Place, schemas: Schemas): string {
  const { parameters = [], requestBody } = operation;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$DOORWARD_URL${filled(path, parameters)}${query(method, parameters)}"`,
    ...credentials(operation['x-permission'], method),
  ];
  const schema = requestBody?.content['application/json']?.schema;
  if (schema !== undefined) {
    const body = JSON.stringify(exampleOf('', schema, schemas));
    lines.push(`-H 'Content-Type: application/json'`, `-d '${body.replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

/**
 * The files are those that `doorward cert request` writes. A login counts for the control plane's own pages
 * alone.
 */
function credentials(permission: string, method: string): readonly string[] {
  if (permission === ANYONE) return [];
  if (permission === HOLDER) return ['--cert ann.cert.pem --key ann.key.pem'];
  if (permission === ONESELF || permission === IN_PERSON)
    return ['-b "$DOORWARD_COOKIE"', ...(method === 'GET' ? [] : ['-H "Origin: $DOORWARD_URL"'])];
  return ['-H "Authorization: Bearer $DOORWARD_API_KEY"'];
}

function filled(path: string, parameters: readonly Parameter[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.schema.example;
    return encodeURIComponent(typeof example === 'string' ? example : placeholder(name));
  });
}

/** What a deletion without a path is about is said in its query alone; lists are whole without one. */
function query(method: string, parameters: readonly Parameter[]): string {
  const [first] = method === 'DELETE' ? parameters.filter((each) => each.in === 'query') : [];
  return first === undefined
    ? ''
    : `?${first.name}=${encodeURIComponent(String(first.schema.example ?? placeholder(first.name)))}`;
}

/** What must be there, and what has an example. */
function exampleOf(name: string, given: Schema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  const [type] = [schema.type ?? 'object'].flat();
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    const shown = Object.entries(properties).filter(
      ([key, each]) => required.includes(key) || resolved(each, schemas).example !== undefined,
    );
    return Object.fromEntries(shown.map(([key, each]) => [key, exampleOf(key, each, schemas)]));
  }
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(name, schema.items, schemas)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return placeholder(name);
}

/** `clientSecret` as `CLIENT_SECRET`: seen at once to be nobody's. */
function placeholder(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
