// How a certificate is named by its serial number, where the database does not know it.

/** Instead of an id. */
export function namedBySerial(serial: string): `serial:${string}` {
  return `serial:${serial}`;
}
