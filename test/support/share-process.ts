// `doorward share public` as a process of its own, with what it says line by line.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { compiled, FRONT_DOOR } from './front-door.ts';
import { eventually } from './serve-process.ts';

export type ShareProcess = {
  /** Lines of standard output so far. */
  readonly lines: readonly string[];
  /** The first line of output that matches, as soon as it is there. */
  readonly line: (wanted: RegExp) => Promise<string>;
  /** With `--json`: the first event of that name, as soon as it is there. */
  readonly event: (name: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Reads no more: the next line that it prints has no reader. */
  readonly leave: () => void;
  readonly ended: Promise<Ended>;
};

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
};

/**
 * What is needed of a running service: where files can be put, its first key, and where its control API
 * listens.
 */
type Served = {
  readonly folder: string;
  readonly apiKey: string;
  readonly ports: { readonly control: number };
};

type Process = {
  /** After `share public`. */
  readonly words: readonly string[];
  /** Open to everyone where the words ask for neither a login nor a certificate; unless false. */
  readonly open?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The account's first unless said; null for none. */
  readonly apiKey?: string | null;
};

/** Runs with the service's address and key; killed at the end of the test if it still runs. */
export function sharePublic(
  t: TestContext,
  service: Served,
  { words, open = true, env, apiKey = service.apiKey }: Process,
): ShareProcess {
  const meant = open && !words.some((word) => PROTECTS.has(word)) ? ['--open'] : [];
  const child = spawn(process.execPath, [FRONT_DOOR, 'share', 'public', ...words, ...meant], {
    env: {
      ...compiled(),
      XDG_CONFIG_HOME: service.folder,
      DOORWARD_URL: `http://127.0.0.1:${service.ports.control}`,
      ...(apiKey === null ? {} : { DOORWARD_API_KEY: apiKey }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(
    ([[code, signal], err]): Ended => ({ code, signal, err }),
  );
  let over: Ended | null = null;
  void ended.then((it) => (over = it));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const line: ShareProcess['line'] = (wanted) =>
    eventually(`a line like ${wanted}`, () => {
      const found = lines.find((each) => wanted.test(each));
      if (found === undefined && over !== null)
        assert.fail(
          `it ended with ${over.code}, without a line like ${wanted}:\n${lines.join('\n')}\n${over.err}`,
        );
      return found;
    });
  return {
    lines,
    line,
    event: async (name) => JSON.parse(await line(new RegExp(`^{"event":"${name}"`))),
    signal: (signal) => void child.kill(signal),
    leave: () => child.stdout.destroy(),
    ended,
  };
}

const PROTECTS: ReadonlySet<string> = new Set(['--oauth-provider', '--require-client-certificate']);
