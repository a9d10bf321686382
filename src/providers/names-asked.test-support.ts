// Stands in for the operating system where names are asked for.

import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/** What the system is asked for from now on, and is answered so; nobody waits when the test is over. */
export function namesAsked(t: TestContext, answer: (name: string) => Promise<unknown>): readonly string[] {
  const asked: string[] = [];
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  t.mock.method(dns, 'lookup', (name: string) => {
    asked.push(name);
    return Promise.race([answer(name), over.promise]);
  });
  syncBuiltinESMExports();
  t.after(() => {
    over.reject(new Error('the test is over'));
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return asked;
}
