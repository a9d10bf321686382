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
    description: 'An API key (`dw_…`), made by an operator with `doorward account create`.',
  });
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc-control',
    description:
      'A login at `/auth/login`, or with an API key at `/auth/key`. Unsafe methods need the own `Origin` and `application/json`.',
  });
  registry.registerComponent('securitySchemes', 'clientCertificate', {
    type: 'mutualTLS',
    description:
      'A client certificate with an API role, where `control.client_certificates` is `optional` or `required`.',
  });
  for (const { section, operations } of OPERATIONS)
    for (const { described } of operations) registry.registerPath({ ...described, tags: [section] });
  return document.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Doorward control API',
      version: 'v1',
      description:
        'JSON only. Each call carries an API key as bearer. Faults are problem documents (RFC 9457) with a stable `code`. For people: `/docs`.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(SECTIONS).map(([name, description]) => ({ name, description })),
  });
}
