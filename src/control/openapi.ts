// The API's description (OpenAPI 3.1), made from the schemas that check requests, at `/openapi.json`.

import type { ControlApi } from './api.ts';

/** Public: it says nothing that the reference documents do not say. */
export function addOpenApi(api: ControlApi): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`dw_…`), made by an operator with `doorward account create`.',
  });
  api.get('/openapi.json', (c) => c.json(openApiDocument(api)));
}

export function openApiDocument(api: ControlApi): object {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Doorward control API',
      version: 'v1',
      description:
        'JSON only. Each call carries an API key as bearer. Faults are problem documents (RFC 9457) with a stable `code`.',
    },
    servers: [{ url: '/' }],
  });
}
