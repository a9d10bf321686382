// What axe-core finds wrong with a page for people who use a keyboard, a screen reader, or little light. It
// is put into the page over the debugger, so that the page's own policy stays as strict as it is served.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** `only`: the rules to look at; all of them unless said. */
export type AxeInput = { readonly only?: readonly string[] };

/** Fails with each rule that is broken, and where. Rules of WCAG 2.2 A and AA, and good practice. */
export async function assertAccessible(page: Page, { only }: AxeInput = {}): Promise<void> {
  await page.evaluate(STILL);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const found = await page.evaluate<readonly Violation[]>(runText(only ?? null));
  assert.ok(found.length === 0, `axe found faults on ${page.url()}:\n${found.map(described).join('\n')}`);
}

function runText(only: readonly string[] | null): string {
  const rules = only === null ? '' : `runOnly: { type: 'rule', values: ${JSON.stringify(only)} },`;
  return `axe.run(document, { ${rules} preload: false, resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;
}

type Violation = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

function described({ id, help, nodes }: Violation): string {
  return [
    `${id}: ${help}`,
    ...nodes.map(({ html, failureSummary }) => `  ${html}\n    ${failureSummary}`),
  ].join('\n');
}

/** As it is sent to browsers: every page that is looked at reads all of it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Colours in the middle of a transition are none that anybody chose. */
const STILL = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => undefined)))`;
