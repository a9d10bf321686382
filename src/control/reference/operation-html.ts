// One operation of the API on the reference page: who may call it, what it takes, what it answers, what can
// go wrong, and a call to copy.

import { escapeHtml } from '../../http/page-escape.ts';
import { HOLDER, IN_PERSON, isPermission, ONESELF, OPERATOR, PERMISSIONS } from '../authorize.ts';
import { curlExample } from './curl-example.ts';
import {
  type Operation,
  type Parameter,
  type Place,
  refName,
  resolved,
  type Schemas,
} from './description.ts';
import { fieldsTable, inlineHtml, schemaLink, table } from './fields-html.ts';

export function operationHtml(place: Place, schemas: Schemas): string {
  const { path, method, operation } = place;
  const parts = [
    `<article id="${escapeHtml(operation.operationId)}">`,
    `<h3>${escapeHtml(operation.summary)}</h3>`,
    `<p class="call"><b>${escapeHtml(method)}</b> <code>${escapeHtml(path)}</code></p>`,
    operation.description === undefined ? '' : `<p>${inlineHtml(operation.description)}</p>`,
    `<p>${whoHtml(operation['x-permission'])}</p>`,
    parametersHtml(operation.parameters ?? [], schemas),
    bodyHtml(operation, schemas),
    answersHtml(operation),
    `<h4>Example</h4><pre><code>${escapeHtml(curlExample(place, schemas))}</code></pre>`,
    '</article>',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function whoHtml(permission: string): string {
  if (permission === HOLDER) return 'Requires a client certificate instead of a key.';
  if (permission === ONESELF)
    return 'For anyone who logs in to the console with an identity provider, for their own access.';
  if (permission === IN_PERSON) return 'For members who log in to the console with an identity provider.';
  if (permission === OPERATOR)
    return 'For operators, whom the configuration names, who log in to the console with an identity provider.';
  if (!isPermission(permission)) return 'Requires no key.';
  const { role, scope } = PERMISSIONS[permission];
  const roles = role === 'member' ? 'admins and members' : 'admins';
  return `For ${roles}, with a key with ${SCOPES[scope]} (permission <code>${escapeHtml(permission)}</code>).`;
}

const SCOPES = {
  any: 'any scope',
  tunnel: 'scope <code>full</code> or <code>tunnel</code>',
  read: 'scope <code>full</code> or <code>read</code>',
  full: 'scope <code>full</code>',
} as const;

const PLACES: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
];

function parametersHtml(parameters: readonly Parameter[], schemas: Schemas): string {
  return PLACES.flatMap(([place, title]) => {
    const fields = parameters
      .filter((each) => each.in === place)
      .map(({ name, required = false, schema, description }) => ({ name, required, schema, description }));
    return fields.length === 0 ? [] : [`<h4>${title}</h4>${table(fields, schemas)}`];
  }).join('\n');
}

function bodyHtml({ requestBody }: Operation, schemas: Schemas): string {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return '';
  const fields = fieldsTable(resolved(schema, schemas), schemas);
  return `<h4>Body</h4>${fields === '' ? '<p>An empty object: <code>{}</code></p>' : fields}`;
}

function answersHtml({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, headers = {}, content = {} }]) => {
    const [media] = Object.values(content);
    const name = media === undefined ? null : refName(media.schema);
    const given = Object.keys(headers).map((header) => `<code>${escapeHtml(header)}</code>`);
    const more = [
      // Every fault has the same form, which the introduction names.
      name === null || name === 'Problem' ? '' : `<br>${schemaLink(name)}`,
      given.length === 0 ? '' : `<br><small>with ${given.join(', ')}</small>`,
    ];
    const text = description.split('; ').map(inlineHtml).join('<br>');
    return `<tr><th scope="row">${escapeHtml(status)}</th><td>${text}${more.join('')}</td></tr>`;
  });
  return `<h4>Answers</h4><table class="answers"><tbody>${rows.join('')}</tbody></table>`;
}
