// Documents that walk with curl, run for real: every command of each in one shell, against a quick start of
// its own, its answers compared with the document's.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freeQuickstartPort, startQuickstart } from '../support/quickstart.ts';

test('docs/tutorial/curl-walk.md walks the whole login with curl and a cookie jar (quick start; 3, 4.1, 4.2, 5.1)', () =>
  walk('docs/tutorial/curl-walk.md', 8));

test('docs/how-to/log-people-out.md walks a logout with its redirect_url with curl (4.2, 5.2)', () =>
  walk('docs/how-to/log-people-out.md', 4));

async function walk(document: string, fewest: number): Promise<void> {
  const text = await readFile(join(import.meta.dirname, '../..', document), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'curl-walk-'));
  const running = await startQuickstart({ dir: join(folder, 'state'), port: await freeQuickstartPort() });
  try {
    const steps = stepsOf(atPort(text, running.port));
    assert.ok(steps.length >= fewest, 'the document has its steps');
    const script = steps.map(({ commands }, index) => `${commands}\necho '${mark(index)}'`).join('\n');
    const ran = await promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder, timeout: 60_000 });
    let rest = ran.stdout;
    for (const [index, { answer }] of steps.entries()) {
      const [said = '', ...later] = rest.split(`${mark(index)}\n`);
      rest = later.join('');
      assert.match(said, answer, `step ${index + 1}`);
    }
  } finally {
    await running.stop();
    await rm(folder, { recursive: true });
  }
}

type Step = { readonly commands: string; readonly answer: RegExp };

/** Each ```sh block with the ```text block that follows it. */
function stepsOf(text: string): readonly Step[] {
  const blocks = text.matchAll(/```sh\n([^`]*)```\n\n```text\n([^`]*)```/g);
  const steps = [...blocks].map(([, commands = '', answer = '']) => ({ commands, answer: pattern(answer) }));
  assert.equal(steps.length, text.match(/```sh\n/g)?.length, 'each command stands with its answer');
  return steps;
}

/** The document's answer as a pattern: `…` is anything, space is any space. */
function pattern(answer: string): RegExp {
  const parts = answer
    .trim()
    .split('…')
    .map((part) => RegExp.escape(part).replaceAll(/(?:\\x20|\\n)+/g, '\\s+'));
  return new RegExp(`^\\s*${parts.join('[^]*')}\\s*,?\\s*$`);
}

function atPort(text: string, port: number): string {
  return text.replaceAll(':8080', `:${port}`).replaceAll(':8083', `:${port + 3}`);
}

function mark(index: number): string {
  return `--- end of step ${index + 1} ---`;
}
