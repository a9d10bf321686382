// The API's description (OpenAPI 3.1), made from the schemas that check requests.

import { OpenAPIHono } from '@hono/zod-openapi';
import { OPERATIONS, SECTIONS } from './operations.ts';

/** What `/openapi.json` answers. It says nothing that the reference documents do not say. */
export function openApiDocument(): object {
  const document = new OpenAPIHono();
  const registry = document.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`dw_…`). An operator creates the first one with `doorward account create`.',
  });
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc-control',
    description:
      'The cookie of a login at `/auth/login`, or with an API key at `/auth/key`. Unsafe methods require a same-origin `Origin` header and `application/json`.',
  });
  registry.registerComponent('securitySchemes', 'clientCertificate', {
    type: 'mutualTLS',
    description:
      'A client certificate with an API role. Requires `control.client_certificates: optional` or `required`.',
  });
  for (const { section, operations } of OPERATIONS)
    for (const { described } of operations) registry.registerPath({ ...described, tags: [section] });
  return document.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Doorward control API',
      version: 'v1',
      description:
        'A JSON API. Each call carries an API key as a bearer token. Errors are problem documents (RFC 9457) with a stable `code`. For a readable reference, see `/docs`.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(SECTIONS).map(([name, description]) => ({ name, description })),
  });
}
