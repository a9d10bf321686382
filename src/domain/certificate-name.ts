// How events name a certificate: by its id, and by its serial number where the store does not know it.

/** Instead of an id. */
export function namedBySerial(serial: string): `serial:${string}` {
  return `serial:${serial}`;
}

/** Who did it: `certificate:cer_…`, or `certificate:serial:…`. */
export function certificateActor(name: string): `certificate:${string}` {
  return `certificate:${name}`;
}

/** The serial number of an actor that is named by it; null for any other. */
export function serialOfActor(actor: string | null): string | null {
  return actor?.startsWith(BY_SERIAL) === true ? actor.slice(BY_SERIAL.length) : null;
}

const BY_SERIAL = certificateActor(namedBySerial(''));
