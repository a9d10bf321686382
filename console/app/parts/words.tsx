// A sentence of the service, in which backticks mark what is typed.

export function Words({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // A lone one marks nothing.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) => (index % 2 === 0 ? part : <code key={`${index} ${part}`}>{part}</code>));
}
