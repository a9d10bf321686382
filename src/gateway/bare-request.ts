// A request of Node's server that makes no list of all its headers. The server itself asks each request for
// two or three of them, and Node would make the whole list for that (measured: a twentieth of a request); the
// gate reads `rawHeaders`.

const { IncomingMessage } = process.getBuiltinModule('node:http');

type FewHeaders = { [Name in (typeof ASKED)[number]]?: string };

const ASKED = ['expect', 'upgrade', 'connection', 'content-length', 'transfer-encoding'] as const;

export class BareRequest extends IncomingMessage {
  #few: Readonly<FewHeaders> | null = null;

  /** Those that Node's server and ours ask for, and no others. */
  static {
    // As an accessor, like Node's own, which is typed as a member.
    Object.defineProperty(this.prototype, 'headers', {
      get(this: BareRequest): Readonly<FewHeaders> {
        return (this.#few ??= fewOf(this.rawHeaders));
      },
    });
  }
}

/** Values of one name are joined (RFC 9110 section 5.3). */
function fewOf(rawHeaders: readonly string[]): Readonly<FewHeaders> {
  let few: FewHeaders | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = askedName(rawHeaders[at]!);
    if (name === null) continue;
    const value = rawHeaders[at + 1]!;
    few ??= {};
    const former = few[name];
    few[name] = former === undefined ? value : `${former}, ${value}`;
  }
  return few ?? NONE;
}

/** Told apart by length first: most names cost one comparison. */
function askedName(name: string): (typeof ASKED)[number] | null {
  switch (name.length) {
    case 6:
    case 7:
    case 10:
    case 14:
    case 17: {
      const lower = name.toLowerCase();
      return ASKED.find((asked) => asked === lower) ?? null;
    }
    default:
      return null;
  }
}

const NONE: Readonly<FewHeaders> = Object.freeze({});
