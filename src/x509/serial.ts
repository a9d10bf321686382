// Serial numbers of certificates: 128 random bits (DESIGN "Issuing"), as DER wants a positive number.

/** 17 bytes from 16 random ones: led by 1, so that all are positive, of one length, and none is zero. */
export function serialFrom(random: Uint8Array): Uint8Array {
  return Uint8Array.of(1, ...random);
}
