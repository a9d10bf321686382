// The pages of the documentation site, in the order in which somebody new would want them.

export type Section = {
  readonly title: string;
  /** Documents of the repository, without `.md`. */
  readonly pages: readonly string[];
};

const howTo = (...names: readonly string[]) => names.map((name) => `docs/how-to/${name}`);

export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'README',
      'docs/tutorial/first-share-in-the-console',
      'docs/tutorial/company-access-in-the-console',
      'docs/tutorial/curl-walk',
      ...howTo('install', 'console', 'command-line'),
    ],
  },
  {
    title: 'Who gets in',
    pages: howTo(
      'who-gets-in',
      'request-access',
      'service-tokens',
      'grpc',
      'require-client-certificates',
      'sensitive-use',
      'log-people-out',
      'warn-before-the-end',
      'my-access',
    ),
  },
  {
    title: 'Identity providers',
    pages: howTo('google', 'github', 'openid-connect', 'define-providers'),
  },
  {
    title: 'Share',
    pages: howTo('share-from-anywhere', 'agent-as-a-service', 'custom-hosts'),
  },
  {
    title: 'Certificates',
    pages: howTo('give-people-certificates', 'certificates-in-use', 'service-to-service'),
  },
  {
    title: 'Run it',
    pages: howTo(
      'run-as-a-service',
      'deploy',
      'public-certificates',
      'behind-a-proxy',
      'forward-auth',
      'forward-auth-on-kubernetes',
      'postgresql',
      'upgrade',
      'back-up-and-restore',
      'rotate-keys',
      'monitoring',
      'operators',
    ),
  },
  {
    title: 'Automate',
    pages: howTo('call-the-api', 'gitops', 'members-and-keys', 'webhooks'),
  },
  {
    title: 'Move from',
    pages: howTo(
      'migrate-from-oauth2-proxy',
      'migrate-from-authelia',
      'migrate-from-zrok',
      'migrate-from-ngrok-and-cloudflared',
    ),
  },
  {
    title: 'Reference',
    pages: [
      'docs/reference/configuration',
      'docs/reference/state-file',
      'docs/reference/commands',
      'docs/reference/errors',
      'docs/reference/metrics',
      'docs/reference/applications-and-browsers',
      'docs/contract',
      'SECURITY',
      'CHANGELOG',
    ],
  },
  {
    title: 'Explanation',
    pages: [
      'docs/explanation/a-request-at-the-gateway',
      'docs/explanation/sessions-and-checks',
      'docs/explanation/trust',
      'docs/explanation/certificates-and-tunnels',
      'docs/explanation/compared',
      'docs/explanation/figures',
      'docs/explanation/long-runs',
      'bench/RESULTS',
    ],
  },
  {
    title: 'How it is made',
    pages: [
      'ARCHITECTURE',
      'CONTRIBUTING',
      'docs/design',
      'docs/threats',
      'docs/decisions/acme',
      'docs/decisions/binding-cookies',
      'docs/decisions/console',
      'docs/decisions/dependencies',
      'docs/decisions/login-loop',
      'docs/decisions/postgresql',
      'docs/decisions/provider-logout',
      'docs/decisions/readiness',
      'docs/decisions/redeem-page',
      'docs/decisions/session-confirmation',
      'docs/decisions/tunnel-connections',
    ],
  },
];

/** As links of the site: the README is its first page. */
export function linkOf(page: string): string {
  return page === 'README' ? '/' : `/${page}`;
}
