// Server-sent events from bytes (WHATWG HTML, section 9.2.6): an event has a name and data. Comments only
// show that somebody is there. Of bounded length, whatever the other side sends.

export type ServerEvent = { readonly event: string; readonly data: string };

/**
 * Ends with the bytes; what they break off is no event. Throws what reading throws, and for an event that is
 * too long.
 */
export async function* serverEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_EVENT) throw new Error('an event is longer than 64 KiB');
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

/** Null for comments alone. */
function eventOf(block: string): ServerEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}

const MAX_EVENT = 64 * 1024;
