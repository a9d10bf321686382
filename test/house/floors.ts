// The floors of the house (ARCHITECTURE.md): a room imports of lower floors alone.

export const FLOORS: Readonly<Record<string, number>> = {
  domain: 0,
  x509: 0,
  wire: 0,
  config: 1,
  http: 1,
  store: 1,
  providers: 1,
  tunnel: 1,
  client: 1,
  acme: 2,
  login: 2,
  pki: 2,
  webhooks: 2,
  gateway: 3,
  control: 3,
  serve: 4,
  cli: 5,
};
