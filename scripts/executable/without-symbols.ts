// An ELF program without what its debuggers alone read: symbols and debugging information, a quarter of
// Node's size. The sections are made blank where they are, so that nothing in the file has to move, and
// compress to nothing (System V ABI, "Object Files").

/**
 * Blanks in place all that is not loaded when a 64-bit little-endian ELF program runs. Throws for any other
 * file.
 */
export function blankUnloaded(program: Buffer): void {
  if (program.readUInt32BE(0) !== ELF_MAGIC || program[4] !== CLASS_64 || program[5] !== LITTLE_ENDIAN)
    throw new TypeError('Cannot blank what is not loaded: this is no 64-bit little-endian ELF file');
  const headers = Number(program.readBigUInt64LE(0x28));
  const size = program.readUInt16LE(0x3a);
  const count = program.readUInt16LE(0x3c);
  const names = program.readUInt16LE(0x3e);
  for (let index = 0; index < count; index++) {
    const at = headers + index * size;
    const isLoaded = (program.readBigUInt64LE(at + 0x08) & ALLOCATED) !== 0n;
    if (isLoaded || index === names || program.readUInt32LE(at + 0x04) === WITHOUT_BITS) continue;
    const start = Number(program.readBigUInt64LE(at + 0x18));
    program.fill(0, start, start + Number(program.readBigUInt64LE(at + 0x20)));
  }
}

const ELF_MAGIC = 0x7f454c46;
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
/** SHF_ALLOC. */
const ALLOCATED = 0x2n;
/** SHT_NOBITS: a section with a size that is nowhere in the file. */
const WITHOUT_BITS = 8;
