// The text format of Prometheus, read strictly: a line that it does not know fails.

import assert from 'node:assert/strict';

export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type Family = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
};

export function readExposition(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family & { samples: Sample[] }>();
  let help: readonly [string, string] | null = null;
  let last: (Family & { samples: Sample[] }) | null = null;
  for (const line of text.split('\n')) {
    const [, helped, said] = /^# HELP (\S+) (.+)$/.exec(line) ?? [];
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (line === '') continue;
    if (helped !== undefined && said !== undefined) help = [helped, said];
    else if (typed !== undefined && type !== undefined) {
      assert.equal(help?.[0], typed, 'a type without its help');
      assert.ok(!families.has(typed), `${typed} is told twice`);
      last = { name: typed, type, help: help[1], samples: [] };
      families.set(typed, last);
    } else {
      const sample = readSample(line);
      assert.ok(last !== null && isOf(sample.name, last), `${sample.name} is out of place`);
      last.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): Sample {
  const [, name, braces = '', number] = SAMPLE.exec(line) ?? [];
  assert.ok(name !== undefined && number !== undefined, `not a line of the format: ${line}`);
  const labels = Array.from(braces.matchAll(LABEL), ([, label = '', value = '']) => [label, value] as const);
  const value = number === 'Nan' || number === 'NaN' ? Number.NaN : Number(number.replace('Inf', 'Infinity'));
  assert.ok(number.endsWith('an') || number.endsWith('aN') || !Number.isNaN(value), line);
  return { name, labels: Object.fromEntries(labels), value };
}

function isOf(name: string, { name: family, type }: Family): boolean {
  if (type !== 'histogram') return name === family;
  return [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(name);
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)",?/g;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/;
