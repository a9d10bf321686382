// GET /docs: the reference of the API for people, made of the same description that programs read at
// /openapi.json (DESIGN 2.5). One page of HTML without script, as strict as every page of ours; it says
// nothing that the description does not say.

import { pageHeaders } from '../../http/content-security.ts';
import { escapeHtml } from '../../http/page-escape.ts';
import { brandMark, faviconUrl } from '../../http/page-style.ts';
import type { ControlApi } from '../control-deps.ts';
import { type Description, type Place, placesOf } from './description.ts';
import { fieldsTable, inlineHtml } from './fields-html.ts';
import { operationHtml } from './operation-html.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

export function addReferencePage(api: ControlApi, described: () => object): void {
  let page: string | null = null;
  api.get('/docs', () => {
    // Made when somebody reads it. As it is sent: what JSON drops is not there.
    page ??= referencePage(JSON.parse(JSON.stringify(described())) as Description);
    return new Response(page, { headers: HEADERS });
  });
}

export function referencePage(description: Description): string {
  const groups = Map.groupBy(placesOf(description), groupOf);
  const { schemas } = description.components;
  const sections = [...groups].map(
    ([name, places]) =>
      `<section id="group-${escapeHtml(name)}"><h2>${titleOf(name)}</h2>${places.map((place) => operationHtml(place, schemas)).join('\n')}</section>`,
  );
  const objects = Object.entries(schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${fieldsTable(schema, schemas)}</article>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(description.info.title)}</title>
<link rel="icon" href="${escapeHtml(faviconUrl())}">
<style>${REFERENCE_STYLE}</style>
</head>
<body data-tone="info">
<header>${brandMark()}<span>Doorward</span></header>
<nav aria-label="Contents">${contentsHtml(groups)}</nav>
<main>
<h1>${escapeHtml(description.info.title)}</h1>
${introduction(description)}
${sections.join('\n')}
<section id="objects"><h2>Objects</h2>
${objects.join('\n')}</section>
</main>
</body>
</html>
`;
}

/** `/v1/api-keys/{apiKey}` belongs to `api-keys`. */
function groupOf({ path }: Place): string {
  return path.split('/')[2] ?? '';
}

function titleOf(group: string): string {
  const text = group.replaceAll('-', ' ').replace(/^api /, 'API ').replace(/ ca$/, ' CA');
  return escapeHtml(text.charAt(0).toUpperCase() + text.slice(1));
}

function contentsHtml(groups: ReadonlyMap<string, readonly Place[]>): string {
  const items = [...groups].map(([name, places]) => {
    const links = places.map(
      ({ operation: { operationId, summary } }) =>
        `<li><a href="#${escapeHtml(operationId)}">${escapeHtml(summary)}</a></li>`,
    );
    return `<li><a href="#group-${escapeHtml(name)}">${titleOf(name)}</a><ul>${links.join('')}</ul></li>`;
  });
  return `<ul>${items.join('')}<li><a href="#objects">Objects</a></li></ul>`;
}

function introduction({ info }: Description): string {
  const paragraphs = [
    info.description,
    'The examples read the URL of this API from `DOORWARD_URL` and the key from `DOORWARD_API_KEY`, as the command line does. A click selects a whole example.',
    'If the operator enables client certificates, a certificate with an API role replaces the key.',
    'Lists are paginated: send `nextCursor` as `cursor` to get the next page, until it is null. An `ETag` names the version of a resource. Send it as `If-Match` to make a change only to that version; otherwise the response is 412.',
    'Changes are live when the call returns: they apply to the next request to a share.',
  ];
  return `${paragraphs.map((text) => `<p>${inlineHtml(text)}</p>`).join('\n')}
<p>Every error is a <a href="#schema-Problem">problem document</a>. For programs: <a href="/openapi.json">openapi.json</a>.</p>`;
}

const HEADERS: [string, string][] = pageHeaders(REFERENCE_STYLE).map(([name, value]) => [name, value]);
