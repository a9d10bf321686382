// The forms of a page, read well enough to submit them as a browser would. For pages that tests know, not for
// any page.

export type HtmlForm = {
  readonly method: string;
  /** As written in the page; resolve it against the page's address. */
  readonly action: string;
  /** Fields with their first values: hidden and text inputs, and the first named button. */
  readonly fields: ReadonlyMap<string, string>;
};

export function readForms(html: string): readonly HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, tag = '', body = '']) => {
    const fields = new Map<string, string>();
    for (const [, control = ''] of body.matchAll(/<(?:input|button)\b([^>]*)>/gi)) {
      const name = attributeOf(control, 'name');
      if (name !== null && !fields.has(name)) fields.set(name, attributeOf(control, 'value') ?? '');
    }
    return {
      method: (attributeOf(tag, 'method') ?? 'get').toUpperCase(),
      action: attributeOf(tag, 'action') ?? '',
      fields,
    };
  });
}

function attributeOf(tag: string, name: string): string | null {
  const match = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return match === null ? null : unescapeHtml(match[1] ?? match[2] ?? match[3] ?? '');
}

function unescapeHtml(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39|#x27|#x2F);/gi,
    (_, name: string) => ENTITIES[name.toLowerCase()] ?? '',
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  '#x2f': '/',
};
