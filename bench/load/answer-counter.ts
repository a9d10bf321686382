// Tells where answers end on a raw connection, and no more: status, Content-Length, body bytes counted. The
// backend of the bench always announces a length.

export type AnswerCounter = {
  /** Counts one piece; answers how many answers it ended. Throws when it cannot follow. */
  readonly feed: (bytes: Buffer) => number;
  /** Of the last answer whose head was read. */
  readonly status: () => number;
  readonly bodyBytes: () => number;
};

export function createAnswerCounter(): AnswerCounter {
  let head = '';
  let left = -1;
  let status = 0;
  let bodyBytes = 0;
  const feed = (bytes: Buffer): number => {
    let at = 0;
    let ended = 0;
    while (at < bytes.length) {
      if (left < 0) {
        const text = head + bytes.toString('latin1', at, Math.min(bytes.length, at + MAX_HEAD));
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) {
          head = text;
          if (head.length > MAX_HEAD) throw new Error('Cannot follow an answer: its head has no end');
          return ended;
        }
        at += end + 4 - head.length;
        head = '';
        status = Number(text.slice(9, 12));
        left = status === 101 ? 0 : lengthIn(text.slice(0, end));
      }
      const taken = Math.min(left, bytes.length - at);
      at += taken;
      left -= taken;
      bodyBytes += taken;
      if (left === 0) {
        left = -1;
        ended++;
      }
    }
    return ended;
  };
  return { feed, status: () => status, bodyBytes: () => bodyBytes };
}

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`Cannot follow an answer: it has no length:\n${head}`);
  return Number(length);
}

const MAX_HEAD = 16_384;
