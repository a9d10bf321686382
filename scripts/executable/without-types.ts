// A Node without its stripper of types: WebAssembly as base64 in one of its own modules, which nothing loads
// where all code is JavaScript. It is made blank where it is, so that nothing in the file has to move, and
// compresses to nothing.

/** Blanks it in place. Throws where it is not found: another Node may have it elsewhere. */
export function blankTypeStripper(program: Buffer): void {
  const at = program.indexOf(BEFORE);
  const start = at + BEFORE.length;
  const end = program.indexOf('"', start);
  if (at === -1 || end - start < LEAST || program.includes(BEFORE, start))
    throw new TypeError('Cannot blank what strips types: it is not where this Node is expected to have it');
  program.fill('A', start, end);
}

const BEFORE = 'require("node:buffer");\n    var bytes = Buffer2.from("';
/** Megabytes; anything short is something else. */
const LEAST = 1e6;
