// How a form of the program is called: a script by the Node of the tests, and an executable by itself.

export type ProgramCall = { readonly command: string; readonly words: readonly string[] };

/** `flags` are Node's own, of which an executable takes none. */
export function programCall(program: string, flags: readonly string[] = []): ProgramCall {
  return program.endsWith('.js')
    ? { command: process.execPath, words: [...flags, program] }
    : { command: program, words: [] };
}
