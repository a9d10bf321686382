// Seals bytes so that only this service can read or make them: a JWE in compact form (`dir`, A256CBC-HS512, RFC 7516
// and RFC 7518 section 5.2.5). The cipher half of the key comes from `encryption_key`, the MAC half from `signing_key`
// (HKDF-SHA-512, a label for each kind); `kid` tells the key pair, `typ` the kind. Nothing is parsed before the tag holds.

export type SealKind = 'session' | 'login-request' | 'login-attempt';

export type SealKeys = { readonly signingKey: string; readonly encryptionKey: string };

export type Seal = {
  readonly seal: (kind: SealKind, content: Uint8Array) => string;
  /** Null for anything that was not sealed by these keys for this kind. Never throws. */
  readonly open: (kind: SealKind, sealed: string) => Uint8Array | null;
};

/** `keys[0]` seals; all of them open. */
export function createSeal(_keys: readonly SealKeys[]): Seal {
  throw new Error('not here yet');
}
