// The examples that `--help` and the reference show. Each is a whole line for a shell, and a test reads it with the parser.

import type { Command } from 'commander';

/** Below the help of each command of the tree that has some. */
export function addExamples(command: Command): void {
  const examples = examplesOf(command);
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);
  command.commands.forEach(addExamples);
}

export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES[pathOf(command)] ?? [];
}

/** `share create`; empty for the program itself. */
export function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'doorward quickstart',
    'doorward login --url https://control.example.com',
    'doorward share public 3000 --oauth-provider google',
  ],
  quickstart: ['doorward quickstart', 'doorward quickstart --dir /tmp/doorward --port 9080'],
  init: ["doorward init --dir /etc/doorward --public-url 'https://*.share.example.com'"],
  'config check': ['doorward config check --config /etc/doorward/doorward.yaml'],
  serve: ['doorward serve --config /etc/doorward/doorward.yaml'],
  doctor: ['doorward doctor --config /etc/doorward/doorward.yaml'],
  agent: ['doorward agent --config agent.yaml', 'doorward agent --config agent.yaml --check'],
  backup: ['doorward backup --to /var/backups/doorward.backup'],
  restore: ['doorward restore /var/backups/doorward.backup --revoke-keys'],
  'key rotate': ['doorward key rotate --config /etc/doorward/doorward.yaml'],
  'account create': ['doorward account create acme --admin ann@example.com'],
  'account list': ['doorward account list'],
  'account suspend': ['doorward account suspend acme'],
  'account resume': ['doorward account resume acme'],
  'account key': ['doorward account key acme'],
  'account host grant': ['doorward account host grant acme app.example.com'],
  'account host revoke': ['doorward account host revoke acme app.example.com'],
  'account host list': ['doorward account host list'],
  'member create': ['doorward member create bob@example.com --role admin'],
  'member list': ['doorward member list'],
  'member modify': ['doorward member modify bob@example.com --role member'],
  'member invite': ['doorward member invite bob@example.com --expires-in 2d'],
  'member delete': ['doorward member delete bob@example.com'],
  'api-key create': [
    'doorward api-key create ci --scope full --expires-in 90d',
    'doorward api-key create kiosk --scope tunnel',
  ],
  'api-key list': ['doorward api-key list'],
  'api-key delete': ['doorward api-key delete ci', 'doorward api-key delete ci --yes'],
  login: [
    'doorward login --url https://control.example.com',
    'doorward login --url https://control.example.com --browser --qr',
    'doorward login --url https://control.example.com < api-key.txt',
    'doorward login --url https://control.example.com --cert ann.cert.pem',
  ],
  logout: ['doorward logout', 'doorward logout --local'],
  whoami: ['doorward whoami', 'doorward whoami --json'],
  version: ['doorward version --json'],
  status: ['doorward status'],
  overview: ['doorward overview --hours 168'],
  'share public': [
    "doorward share public 3000 --oauth-provider google --oauth-email-address-pattern '*@example.com'",
    'doorward share public http://localhost:8000 --name demo --oauth-provider google --qr',
    'doorward share public unix:/run/app.sock --open',
  ],
  'share create': [
    'doorward share create wiki --target http://10.0.0.5:8080 --oauth-provider corp',
    'doorward share create api --target http://127.0.0.1:9000 --require-client-certificate',
  ],
  'share list': ['doorward share list', 'doorward share list --state down'],
  'share show': ['doorward share show wiki'],
  'share modify': [
    "doorward share modify wiki --oauth-email-address-pattern '*@example.com'",
    'doorward share modify wiki --disabled',
  ],
  'share delete': ['doorward share delete wiki', 'doorward share delete wiki --yes'],
  'share test': ['doorward share test wiki --email ann@example.com'],
  'share requests': ['doorward share requests wiki', 'doorward share requests wiki --json'],
  'host create': ['doorward host create app.example.com --share wiki'],
  'host list': ['doorward host list --share wiki'],
  'host show': ['doorward host show app.example.com'],
  'host verify': ['doorward host verify app.example.com'],
  'host delete': ['doorward host delete app.example.com'],
  'provider create': ['doorward provider create --file provider.json'],
  'provider list': ['doorward provider list'],
  'provider show': ['doorward provider show corp'],
  'provider modify': ['doorward provider modify tenant-blue --client-secret-file new-secret.txt'],
  'provider test': ['doorward provider test corp'],
  'provider delete': ['doorward provider delete corp'],
  'cert token create': [
    'doorward cert token create --common-name ann --email-address ann@example.com --validity 90d --qr',
  ],
  'cert token list': ['doorward cert token list'],
  'cert token delete': ['doorward cert token delete crq_8k2m5p7r9t3w6y8a'],
  'cert request': [
    'doorward cert request https://control.example.com/redeem#TOKEN --out ann',
    'doorward cert request - --p12 ann.p12',
  ],
  'cert list': ['doorward cert list --expires-within 14d'],
  'cert inspect': ['doorward cert inspect crt_8k2m5p7r9t3w6y8a'],
  'cert renew': [
    'doorward cert renew ann.cert.pem',
    "doorward cert renew api.cert.pem --daemon --exec 'systemctl reload nginx'",
  ],
  'cert revoke': [
    'doorward cert revoke crt_8k2m5p7r9t3w6y8a --reason key_compromise',
    'doorward cert revoke --all-of ann@example.com',
  ],
  'cert policy show': ['doorward cert policy show'],
  'cert policy set': ["doorward cert policy set --max-validity 90d --common-name-pattern '*.corp'"],
  'ca show': ['doorward ca show > ca.pem'],
  'ca rotate': ['doorward ca rotate'],
  'session list': ['doorward session list --share wiki', 'doorward session list --state all'],
  'session end': [
    'doorward session end ses_8k2m5p7r9t3w6y8a',
    'doorward session end --email ann@example.com --yes',
  ],
  audit: [
    'doorward audit --since 1h',
    'doorward audit --kind login.refused --since 7d --json',
    'doorward audit --follow',
  ],
  'webhook create': [
    'doorward webhook create https://hooks.example.com/doorward --kind login.refused --kind share.created',
  ],
  'webhook list': ['doorward webhook list'],
  'webhook show': ['doorward webhook show whk_8k2m5p7r9t3w6y8a'],
  'webhook test': ['doorward webhook test whk_8k2m5p7r9t3w6y8a'],
  'webhook modify': [
    'doorward webhook modify whk_8k2m5p7r9t3w6y8a --kind login.refused --kind session.ended',
  ],
  'webhook rotate-secret': ['doorward webhook rotate-secret whk_8k2m5p7r9t3w6y8a --overlap 2d'],
  'webhook enable': ['doorward webhook enable whk_8k2m5p7r9t3w6y8a'],
  'webhook disable': ['doorward webhook disable whk_8k2m5p7r9t3w6y8a'],
  'webhook delete': ['doorward webhook delete whk_8k2m5p7r9t3w6y8a'],
  completion: ['source <(doorward completion bash)', 'doorward completion zsh'],
};
