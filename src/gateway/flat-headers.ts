// Headers as flat lists, `[name, value, …]`, in the order and spelling they came: the cheapest true form.

/** The values of every header of that name, which is in lower case. */
export function valuesOf(headers: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]!.toLowerCase() === name) values.push(headers[index + 1]!);
  return values;
}

/** The list without the headers of that name, which is in lower case; the same list when there is none. */
export function withoutHeader(headers: string[], name: string): string[] {
  let index = 0;
  while (index < headers.length && headers[index]!.toLowerCase() !== name) index += 2;
  if (index >= headers.length) return headers;
  const out = headers.slice(0, index);
  for (index += 2; index < headers.length; index += 2)
    if (headers[index]!.toLowerCase() !== name) out.push(headers[index]!, headers[index + 1]!);
  return out;
}
