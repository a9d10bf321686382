// Every file below deploy/ is held to what it is for. A file that no rule here takes fails.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { DEPLOYED, ROOT, readDeployed as read, run, temporary, without } from '../support/deployed.ts';
import { parseValue, type Value } from '../support/sound-config.ts';
import { faultsOfCommand } from '../support/documented-command.ts';

/** What takes a file: each has a test below. */
const RULES: Readonly<Record<string, RegExp>> = {
  units: /^deploy\/systemd\/[\w-]+\.service$/,
  'users and folders': /^deploy\/systemd\/doorward\.(?:sysusers|tmpfiles)$/,
  compose: /^deploy\/compose\/compose\.yaml$/,
  nginx: /^deploy\/compose\/nginx\.conf$/,
  configurations: /^deploy\/(?:compose\/doorward|helm\/doorward\/values|kubernetes\/configuration)\.yaml$/,
  // test/house/deploy-kubernetes.test.ts reads these two.
  chart: /^deploy\/helm\/doorward\/(?:Chart|values|files\/alerts|templates\/[\w-]+)\.yaml$/,
  manifests: /^deploy\/kubernetes\/[\w-]+\.yaml$/,
  monitoring: /^deploy\/compose\/(?:prometheus|grafana|grafana-dashboards)\.yaml$/,
  // test/house/monitoring.test.ts reads them.
  'dashboard and alerts': /^deploy\/monitoring\/(?:dashboard\.json|alerts\.yaml)$/,
};

test('every file below deploy/ is validated by a rule', () => {
  const stray = DEPLOYED.filter((file) => !Object.values(RULES).some((rule) => rule.test(file)));
  assert.deepEqual(stray, []);
  for (const [name, rule] of Object.entries(RULES))
    assert.ok(
      DEPLOYED.some((file) => rule.test(file)),
      name,
    );
});

for (const file of taken('units')) {
  const unit = read(file);

  test(`${file} starts a command that exists, as its own user`, () => {
    const [, words = ''] = /^ExecStart=\/usr\/bin\/(doorward .*)$/m.exec(unit) ?? [];
    assert.deepEqual(faultsOfCommand(words), []);
    const name = basename(file, '.service');
    const folder = words.match(/--config \/etc\/([\w-]+)\//)?.[1];
    assert.deepEqual([folder, /^User=(.*)$/m.exec(unit)?.[1]], [name, name]);
    assert.match(read('deploy/systemd/doorward.sysusers'), new RegExp(`^u ${name} `, 'm'));
    assert.match(
      read('deploy/systemd/doorward.tmpfiles'),
      new RegExp(`^d /etc/${name} 0700 ${name} ${name} -$`, 'm'),
    );
  });

  test(
    `${file} is exposed below 2.0 (systemd-analyze security)`,
    { skip: without('systemd-analyze') },
    (t) => {
      const { stdout, stderr, status } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--no-pager', join(ROOT, file)],
        { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } },
      );
      if (/unrecognized option|Unknown option/.test(stderr)) return t.skip('this systemd cannot judge files');
      assert.equal(status, 0, stderr);
      const [, level = ''] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? [];
      assert.ok(level !== '' && Number(level) < 2, stdout);
    },
  );
}

test('systemd makes the users and folders of the units', { skip: withoutUsers() }, (t) => {
  const made = temporary(t);
  mkdirSync(join(made, 'etc'));
  for (const [name, place] of [
    ['sysusers', 'etc/sysusers.d'],
    ['tmpfiles', 'etc/tmpfiles.d'],
  ] as const) {
    mkdirSync(join(made, place));
    cpSync(join(ROOT, `deploy/systemd/doorward.${name}`), join(made, place, 'doorward.conf'));
  }
  run('systemd-sysusers', [`--root=${made}`, 'doorward.conf']);
  run('systemd-tmpfiles', [`--root=${made}`, '--create', 'doorward.conf']);
  const users = readFileSync(join(made, 'etc/passwd'), 'utf8');
  for (const name of ['doorward', 'doorward-agent']) {
    const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(users) ?? [];
    const { mode, uid } = statSync(join(made, 'etc', name));
    assert.deepEqual([mode & 0o777, String(uid)], [0o700, id], name);
  }
});

for (const file of taken('configurations'))
  test(`${file}: the configuration is sound (doorward config check)`, () => {
    const { faults } = checkText(configurationIn(file));
    assert.deepEqual(faults, []);
  });

test('compose: its services mount what is there, and run the version of this repository', () => {
  const { services } = parse(read('deploy/compose/compose.yaml')) as Compose;
  const always = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
  assert.deepEqual(
    always.map(([name]) => name),
    ['postgres', 'gateway-1', 'gateway-2', 'nginx'],
  );
  assert.equal(services['gateway-1']?.image, `doorward:${packageFile.version}`);
  assert.deepEqual(services['gateway-2'], services['gateway-1']);
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map((each) => each.split(':')[0] ?? ''),
  );
  for (const place of mounted.filter((each) => /^\.{1,2}\/.*\.\w+$/.test(each)))
    assert.ok(existsSync(join(ROOT, 'deploy/compose', place)), place);
});

test('compose: the profile monitoring scrapes both gateways, has the alerts, and Grafana finds them', () => {
  const { services } = parse(read('deploy/compose/compose.yaml')) as Compose;
  const profiled = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('monitoring'));
  assert.deepEqual(
    profiled.map(([name]) => name),
    ['prometheus', 'grafana'],
  );
  const prometheus = parse(read('deploy/compose/prometheus.yaml')) as {
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly { readonly static_configs: readonly { readonly targets: unknown }[] }[];
  };
  const { metrics } = parse(read('deploy/compose/doorward.yaml')) as {
    readonly metrics: { readonly bind_address: string };
  };
  const port = metrics.bind_address.split(':')[1];
  const targets = prometheus.scrape_configs.flatMap((each) =>
    each.static_configs.flatMap((of) => of.targets),
  );
  assert.deepEqual(
    targets,
    Object.keys(services).flatMap((name) => (name.startsWith('gateway-') ? [`${name}:${port}`] : [])),
  );
  const inside = (name: string) => services[name]?.volumes?.map((each) => each.split(':')[1] ?? '') ?? [];
  for (const file of prometheus.rule_files) assert.ok(inside('prometheus').includes(file), file);
  const { providers } = parse(read('deploy/compose/grafana-dashboards.yaml')) as {
    readonly providers: readonly { readonly options: { readonly path: string } }[];
  };
  for (const { options } of providers)
    assert.ok(
      inside('grafana').some((each) => each.startsWith(`${options.path}/`)),
      options.path,
    );
  const { datasources } = parse(read('deploy/compose/grafana.yaml')) as {
    readonly datasources: readonly { readonly url: string }[];
  };
  assert.deepEqual(
    datasources.map(({ url }) => new URL(url).hostname),
    ['prometheus'],
  );
});

test('compose: promtool takes what Prometheus reads', { skip: without('promtool') }, (t) => {
  const file = join(temporary(t), 'prometheus.yaml');
  const alerts = join(ROOT, 'deploy/monitoring/alerts.yaml');
  const text = read('deploy/compose/prometheus.yaml').replace('/etc/prometheus/alerts.yaml', alerts);
  writeFileSync(file, text);
  run('promtool', ['check', 'config', file]);
});

test('deploy/compose/nginx.conf passes nginx -t', { skip: withoutNginx() }, (t) => {
  const folder = temporary(t);
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  run('openssl', ['req', '-x509', ...curve, '-nodes', '-subj', '/CN=x', '-keyout', key, '-out', certificate]);
  const conf = read('deploy/compose/nginx.conf')
    .replaceAll('/etc/nginx/tls', folder)
    // The names of services are known among containers alone.
    .replaceAll(/gateway-\d:/g, '127.0.0.1:');
  writeFileSync(join(folder, 'nginx.conf'), conf);
  run('nginx', ['-t', '-q', '-e', 'stderr', '-g', `pid ${folder}/pid;`, '-c', join(folder, 'nginx.conf')]);
});

type Compose = {
  readonly services: Readonly<
    Record<
      string,
      { readonly image: string; readonly volumes?: readonly string[]; readonly profiles?: readonly string[] }
    >
  >;
};

/** The configuration that a file is, or carries. */
function configurationIn(file: string): Value {
  const value = parse(read(file)) as Readonly<Record<string, unknown>>;
  if (file.endsWith('values.yaml')) return value['config'] as Value;
  const { data } = value as { readonly data?: Readonly<Record<string, string>> };
  return (data === undefined ? value : parse(data['doorward.yaml'] ?? '')) as Value;
}

function checkText(value: Value): { readonly faults: readonly unknown[] } {
  const parsed = parseValue(value, FILES);
  return { faults: 'faults' in parsed ? parsed.faults : [] };
}

function taken(rule: string): readonly string[] {
  return DEPLOYED.filter((file) => RULES[rule]?.test(file));
}

function withoutUsers(): string | false {
  if (process.getuid?.() !== 0) return 'only root can make users';
  return without('systemd-sysusers') || without('systemd-tmpfiles');
}

function withoutNginx(): string | false {
  return without('nginx', '-v') || without('openssl', 'version');
}

/** Whatever file a configuration names holds something sound. */
const FILES: Readonly<Record<string, string>> = new Proxy(
  {},
  {
    get: (_files, path) =>
      String(path).endsWith('postgres.url')
        ? 'postgres://doorward:secret@postgres:5432/doorward'
        : `a secret of its own, of thirty-two characters: ${String(path)}`,
  },
);
