// What V8 compiles while the program starts: the single executable carries it beside its scripts, and starts
// in two thirds of the time. The program is run for it when the executable is built.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { MAIN, WORKER } from './scripts.ts';

export type CompileOptions = {
  readonly root: string;
  /** The folder with all assets, and the scripts below `program`. */
  readonly assets: string;
  /** For the configuration and the database of that run. */
  readonly work: string;
};

/** Answers the files that it wrote, from the folder of the assets. Throws with what the program said. */
export async function compileScripts({ root, assets, work }: CompileOptions): Promise<readonly string[]> {
  const place = join(work, 'start');
  mkdirSync(place);
  const config = join(place, 'doorward.yaml');
  writeFileSync(join(place, 'master.key'), `${KEY}\n`, { mode: 0o600 });
  writeFileSync(config, configText(await freePort(), await freePort()), { mode: 0o600 });
  const program = join(root, 'scripts/executable/compile.ts');
  const node = join(root, 'node_modules/node/bin/node');
  const { status, stdout, stderr } = spawnSync(
    node,
    [...FLAGS, program, assets, 'serve', '--config', config],
    { cwd: work, env: {}, encoding: 'utf8', timeout: RUN_MS },
  );
  if (status !== 0) throw new Error(`Cannot compile what the program starts with: ${stdout}${stderr}`);
  return [MAIN, WORKER].map((script) => {
    requireUse(node, join(assets, 'program', script));
    return `program/${script}.compiled`;
  });
}

/** Throws when a Node that is started as usual would reject the code, and compile the script again. */
function requireUse(node: string, script: string): void {
  const { stdout } = spawnSync(node, ['--eval', IS_REJECTED, script], { env: {}, encoding: 'utf8' });
  if (stdout !== 'false') throw new Error(`Cannot use what was compiled for ${script}: Node rejects it`);
}

function configText(port: number, controlPort: number): string {
  return `gateway:
  bind_address: 127.0.0.1:${port}
  public_url: http://*.share.localhost:${port}
  direct_targets: ['127.0.0.1:3000']
oauth:
  bind_address: 127.0.0.1:${port}
  endpoint_url: http://auth.share.localhost:${port}
  cookie_name: svc-auth-session
  cookie_domain: share.localhost
  session_lifetime: 24h
  intermediate_lifetime: 10m
  signing_key: '${KEY}'
  encryption_key: '${KEY.replaceAll('8', '7')}'
  logout_redirect_hosts: ['*.share.localhost']
  providers:
    - name: sso
      type: oidc
      issuer: https://id.example.com
      client_id: an-id
      client_secret: a-secret
      scopes: [openid, email, profile]
      supports_pkce: true
control:
  bind_address: 127.0.0.1:${controlPort}
  public_url: http://127.0.0.1:${controlPort}
store:
  url: sqlite:doorward.db
  master_key_file: master.key
`;
}

/**
 * The same code from the same scripts: the seed says in which order it stands, and memory that is used once
 * has nothing of another time in it.
 */
const FLAGS = [
  '--random-seed=1',
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  '--initial-old-space-size=2000',
];
const RUN_MS = 60_000;
const IS_REJECTED = `const { readFileSync } = require('node:fs');
const [, script] = process.argv;
const cachedData = readFileSync(script + '.compiled');
const { cachedDataRejected } = new (require('node:vm').Script)(readFileSync(script, 'latin1'), { cachedData });
process.stdout.write(String(cachedDataRejected));`;
/** Of a service that nobody reaches. */
const KEY = '8af09800a02043710cab6b82a541c226fa5de37f39255b524e77ed6ba68881bb';
