// The chart and the plain manifests: that they are the same, what Kubernetes' own tools say of them, and that
// each of its versions takes them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { DEPLOYED, ROOT, readDeployed as read, run, without } from '../support/deployed.ts';
import { NO_SCHEMAS, laySchemas, newestKubernetes } from '../support/kubernetes-schemas.ts';

const FOLDER = 'deploy/kubernetes';
const CHART = join(ROOT, 'deploy/helm/doorward');
const MANIFESTS = DEPLOYED.filter((file) => file.startsWith(`${FOLDER}/`))
  .map((file) => basename(file))
  .filter((name) => name !== 'kustomization.yaml');
/** Of which Kubernetes the chart says that it is the first. */
const OLDEST_KUBERNETES = '1.30.0';
/** Templates for the Prometheus operator, and the value that asks for each. */
const OPTIONAL: Readonly<Record<string, string>> = {
  'pod-monitor.yaml': 'podMonitor',
  'prometheus-rule.yaml': 'alerts',
};
const ASK_FOR_ALL = [
  ...Object.values(OPTIONAL).flatMap((value) => ['--set', `monitoring.${value}=true`]),
  '--set',
  'monitoring.labels.release=prometheus',
];

test('chart: what the Prometheus operator reads is off unless asked for, and has the same alerts', () => {
  const { monitoring } = parse(read('deploy/helm/doorward/values.yaml')) as { readonly monitoring: unknown };
  assert.deepEqual(monitoring, { podMonitor: false, alerts: false, labels: {} });
  assert.equal(read('deploy/helm/doorward/files/alerts.yaml'), read('deploy/monitoring/alerts.yaml'));
  for (const [name, value] of Object.entries(OPTIONAL)) {
    const template = read(`deploy/helm/doorward/templates/${name}`);
    assert.ok(template.startsWith(`{{- if .Values.monitoring.${value} }}\n`), name);
    assert.ok(template.endsWith('{{- end }}\n'), name);
  }
});

test('chart: helm makes them of it when asked', { skip: without('helm', 'version') }, () => {
  const made = parseAllDocuments(chartMade(OLDEST_KUBERNETES, ASK_FOR_ALL)).map(
    (each) => each.toJS() as Manifest & { readonly metadata: { readonly labels: unknown } },
  );
  for (const kind of ['PodMonitor', 'PrometheusRule']) {
    const found = made.find((each) => each.kind === kind);
    assert.deepEqual(found?.metadata.labels, { 'app.kubernetes.io/name': 'doorward', release: 'prometheus' });
  }
  const rule = made.find(({ kind }) => kind === 'PrometheusRule');
  assert.deepEqual(rule?.spec, parse(read('deploy/monitoring/alerts.yaml')));
});

test('manifests: probes, budget, network policy, autoscaler and secrets, in one kustomization', () => {
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
    readonly resources: readonly string[];
  };
  assert.deepEqual(resources.toSorted(), MANIFESTS.toSorted());
  const kinds = MANIFESTS.map((name) => (parse(read(`deploy/kubernetes/${name}`)) as Manifest).kind);
  assert.deepEqual(kinds.toSorted(), KINDS);
  const [pod] = (parse(read('deploy/kubernetes/deployment.yaml')) as Manifest).spec.template.spec.containers;
  assert.deepEqual([pod?.securityContext.readOnlyRootFilesystem, pod?.image], [true, IMAGE]);
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    assert.ok(probe in (pod ?? {}), probe);
});

test(
  'manifests: kubectl makes one kustomization of them, in a namespace',
  { skip: without('kubectl', 'help') },
  () => {
    const made = parseAllDocuments(run('kubectl', ['kustomize', join(ROOT, FOLDER)])).map(
      (each) => each.toJS() as Manifest & { readonly metadata: { readonly namespace: string } },
    );
    assert.deepEqual(made.map(({ kind }) => kind).toSorted(), KINDS);
    for (const { kind, metadata } of made) assert.equal(metadata.namespace, 'doorward', kind);
  },
);

describe('kubeconform', { skip: without('kubeconform', '-v') || NO_SCHEMAS }, () => {
  const plain = MANIFESTS.map((name) => read(`${FOLDER}/${name}`)).join('---\n');
  let folder: string;
  let oldest: readonly string[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'doorward-schemas-'));
    oldest = ['-strict', '-summary', '-schema-location', laySchemas(OLDEST_KUBERNETES, folder), '-'];
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('manifests: Kubernetes 1.30, the oldest of the chart, and the newest take them', () => {
    const newest = oldest.with(3, laySchemas(newestKubernetes(), folder));
    for (const words of [oldest, newest])
      assert.match(run('kubeconform', words, plain), /Valid: 6, Invalid: 0, Errors: 0, Skipped: 0/);
  });

  test('chart: Kubernetes takes what helm makes of it', { skip: without('helm', 'version') }, () => {
    const made = chartMade(OLDEST_KUBERNETES, ASK_FOR_ALL);
    // The kinds of the Prometheus operator are its own.
    const words = ['-skip', 'PodMonitor,PrometheusRule', ...oldest];
    assert.match(run('kubeconform', words, made), /Valid: 6, Invalid: 0, Errors: 0, Skipped: 2/);
  });

  test('a manifest with a misspelled field is found', () => {
    const input = plain.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem');
    const { status, stdout } = spawnSync('kubeconform', oldest, { encoding: 'utf8', input });
    assert.equal(status, 1, stdout);
    assert.match(stdout, /Deployment doorward is invalid: .*readonlyRootFilesystem/);
  });
});

test('chart: helm lints it, and makes the manifests of it', { skip: without('helm', 'version') }, () => {
  run('helm', ['lint', '--strict', '--kube-version', OLDEST_KUBERNETES, CHART]);
  const made = parseAllDocuments(chartMade(OLDEST_KUBERNETES));
  const wanted = MANIFESTS.map((name) => `${FOLDER}/${name}`);
  assert.equal(made.length, wanted.length);
  for (const file of wanted) {
    const plain = comparable(parse(read(file)) as Manifest);
    const same = made
      .map((each) => comparable(each.toJS() as Manifest))
      .find(({ kind }) => kind === plain.kind);
    assert.deepEqual(same, plain, file);
  }
});

test('chart: its versions and its values are those of this repository', () => {
  const chart = parse(read('deploy/helm/doorward/Chart.yaml')) as {
    readonly version: string;
    readonly appVersion: string;
    readonly kubeVersion: string;
  };
  assert.equal(chart.kubeVersion, `>=${OLDEST_KUBERNETES}-0`);
  assert.deepEqual([chart.version, chart.appVersion], [packageFile.version, packageFile.version]);
  const templates = globSync('deploy/helm/doorward/templates/*', { cwd: ROOT }).map((file) => basename(file));
  assert.deepEqual(templates.toSorted(), [...MANIFESTS, ...Object.keys(OPTIONAL)].toSorted());
  const values = parse(read('deploy/helm/doorward/values.yaml')) as Readonly<Record<string, unknown>>;
  for (const template of templates)
    for (const [, name = ''] of read(`deploy/helm/doorward/templates/${template}`).matchAll(
      /\.Values\.(\w+)/g,
    ))
      assert.ok(name in values, `${template}: ${name}`);
});

type Manifest = {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: {
      readonly metadata?: { annotations?: unknown };
      readonly spec: {
        readonly containers: readonly {
          readonly image: string;
          readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
        }[];
      };
    };
  };
};

/** The text of a configuration is compared as what it says; what only the chart adds is left out. */
function comparable(manifest: Manifest): Manifest {
  const { data, ...rest } = structuredClone(manifest);
  if (data !== undefined)
    return { ...rest, data: parse(data['doorward.yaml'] ?? '') as Readonly<Record<string, string>> };
  if (rest.kind === 'Deployment') delete rest.spec.template.metadata?.annotations;
  return rest;
}

function chartMade(kubernetes: string, words: readonly string[] = []): string {
  return run('helm', ['template', 'doorward', CHART, '--kube-version', kubernetes, ...words]);
}

const IMAGE = `registry.example.com/doorward:${packageFile.version}`;
const KINDS = [
  'ConfigMap',
  'Deployment',
  'HorizontalPodAutoscaler',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
];
