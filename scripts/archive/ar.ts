// An ar archive, as Debian packages are (deb(5)): without times and owners.

export type Member = { readonly name: string; readonly content: Buffer };

/** Names have up to 15 bytes. */
export function ar(members: readonly Member[]): Buffer {
  const parts = members.flatMap(({ name, content }) => [
    Buffer.from(
      `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    // Members begin at even places.
    Buffer.from('\n'.repeat(content.length % 2)),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
