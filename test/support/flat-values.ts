// The values of a header in a flat list, whatever its spelling.

export function valuesIn(headers: readonly string[], name: string): string[] {
  return headers.filter((_text, index) => index % 2 === 1 && headers[index - 1]!.toLowerCase() === name);
}
