// The image as its users run it: in containers that podman starts, alone and as deploy/compose has it.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import packageFile from '../../package.json' with { type: 'json' };
import { imageCommand } from '../../scripts/delivery/install-commands.ts';
import { createBrowser, walkLogin } from './browser-by-hand.ts';
import { startCompose, type ComposeStack } from './compose-stack.ts';
import { ROOT } from './deployed.ts';
import { type Echo, startEchoBackend, type EchoBackend } from './echo-backend.ts';
import { withoutNamespaces } from './network-namespaces.ts';
import { type Podman, startPodman } from './podman.ts';
import { startOidcProvider, type OidcProviderStandIn } from './providers/oidc-provider.ts';
import { freeQuickstartPort, logInAtQuickstart, startQuickstart } from './quickstart.ts';
import { corpClient } from './service.ts';

/** `archive`: what `podman load` takes. `missing`: why there is none. */
export function testInContainers(image: {
  readonly archive: () => Buffer;
  readonly missing: string | false;
}): void {
  describe('in containers', { skip: image.missing }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-containers-'));
    const place = join(folder, 'podman');
    let started: Podman | { readonly missing: string };
    before(async () => {
      chmodSync(folder, 0o755);
      mkdirSync(place);
      const archive = join(folder, 'doorward-image.tar');
      writeFileSync(archive, image.archive());
      started = await startPodman({ folder: place, archive, trial: [IMAGE, 'version'] });
    });
    after(async () => {
      if ('run' in started) await started.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('the image brings the quick start by the command of README.md, in a container that podman starts', async (t) => {
      if ('missing' in started) return t.skip(started.missing);
      const command = imageCommand(readFileSync(join(ROOT, 'README.md'), 'utf8'));
      const program = join(folder, 'doorward');
      writeFileSync(program, `#!/bin/sh\nexec ${command.replace('podman', started.program)} "$@"\n`, {
        mode: 0o755,
      });
      const port = await freeQuickstartPort();
      const quickstart = await startQuickstart({ dir: '/tmp/quickstart', port, program });
      t.after(() => quickstart.stop());
      const page = await logInAtQuickstart(createBrowser(), quickstart.address, 'ada@example.com');
      assert.match(page.body, /Hello ada@example\.com/);
      const [running = ''] = (await started.run(['ps', '-q'])).trim().split('\n');
      assert.deepEqual(JSON.parse(await started.run(['inspect', '--format', FACTS, running])), {
        user: '65532:65532',
        readOnly: true,
      });
    });

    describe('compose', { skip: withoutNamespaces() || withoutNginx() }, () => {
      let stack: ComposeStack;
      let idp: OidcProviderStandIn;
      let backend: EchoBackend;
      const undo: (() => unknown)[] = [];
      before(async () => {
        if ('missing' in started) return;
        backend = await startEchoBackend();
        undo.push(backend.close);
        idp = await startOidcProvider({ clients: [] });
        undo.push(idp.close);
        stack = await startCompose({
          podman: started,
          folder: mkdtempSync(join(folder, 'compose-')),
          issuer: idp.issuer,
          clientSecret: corpClient('').clientSecret,
          backendPort: backend.port,
          onCallback: (url) => idp.addClient({ ...corpClient(''), redirectUris: [url] }),
        });
        undo.push(stack.close);
      });
      after(async () => {
        for (const step of undo.toReversed()) await step();
      });

      test('two gateways on PostgreSQL behind nginx bring a login to the app, also when one of them is stopped', async (t) => {
        if ('missing' in started) return t.skip(started.missing);
        const podman = started;
        const create = ['account', 'create', 'acme', '--admin', 'ada@example.com', '--json', ...CONFIG];
        const { apiKey } = JSON.parse(await podman.run(['exec', 'gateway-1', ...DOORWARD, ...create])) as {
          readonly apiKey: string;
        };
        const as = ['exec', '-e', `DOORWARD_API_KEY=${apiKey}`, '-e', 'DOORWARD_URL=http://127.0.0.1:8282'];
        const share = ['share', 'create', 'demo', '--target', backend.url, '--oauth-provider', 'sso'];
        await podman.run([...as, 'gateway-2', ...DOORWARD, ...share]);
        const address = stack.urlOf('demo');
        const browser = createBrowser({ ca: stack.ca });
        const { last } = await walkLogin(browser, `${address}/deep`, { email: 'ada@example.com' });
        const { headers } = JSON.parse(last.body) as Echo;
        assert.equal(last.url.href, `${address}/deep`);
        assert.equal(headers['svc-auth-email'], 'ada@example.com');
        // nginx takes turns, and each gateway knows the session.
        for (let visits = 0; visits < 4; visits++) assert.equal((await browser.open(address)).status, 200);
        for (const name of GATEWAYS) assert.match(await podman.logs(name), /"share":"demo"/, name);
        await podman.run(['stop', 'gateway-1']);
        const code = await podman.run(['inspect', '--format', '{{.State.ExitCode}}', 'gateway-1']);
        assert.equal(code.trim(), '0');
        for (let visits = 0; visits < 4; visits++) assert.equal((await browser.open(address)).status, 200);
        assert.equal(
          (await createBrowser({ ca: stack.ca }).open(address)).status,
          302,
          'others log in first',
        );
      });
    });
  });
}

function withoutNginx(): string | false {
  return existsSync('/usr/sbin/nginx') ? false : 'nginx is not installed';
}

const IMAGE = `doorward:${packageFile.version}`;
const GATEWAYS = ['gateway-1', 'gateway-2'];
const DOORWARD = ['doorward'];
const CONFIG = ['--config', '/etc/doorward/doorward.yaml'];
const FACTS = '{"user": {{json .Config.User}}, "readOnly": {{json .HostConfig.ReadonlyRootfs}}}';
