// Reads a body to its end, and no further than it may be long.

/** Null for one that is longer. Rejects for one that breaks off. */
export async function readWithin(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    read.push(chunk);
  }
  return Buffer.concat(read);
}
