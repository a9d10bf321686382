// What a command talks to: answers on `out`, all else on `err`, so that answers can be piped.

import type { Secret } from '../domain/secret.ts';

export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `out` is a screen that shows colours, and nobody wants none; not unless said. */
  readonly colours?: boolean;
  /** How many characters a line of `out` has; null or left out where it is no screen. */
  readonly width?: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line of standard input, without its end; typed unseen where a person sits there. */
  readonly readSecret: (prompt: string) => Promise<Secret>;
  /** What a person answers, empty for no answer; null or left out where nobody sits there. */
  readonly ask?: ((question: string) => Promise<string>) | null;
};

/** The same document as the API's, indented for people and readable by programs. */
export function printJson(terminal: Terminal, document: object): void {
  terminal.out(`${JSON.stringify(document, null, 2)}\n`);
}

/** Text from elsewhere, without what could steer a terminal. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}
