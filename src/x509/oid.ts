// The object identifiers that are used here, with the standard that assigns each, as DER.

import { objectIdentifier } from './der.ts';

export const OID = {
  // Names (X.520, PKCS #9).
  commonName: objectIdentifier('2.5.4.3'),
  organization: objectIdentifier('2.5.4.10'),
  organizationalUnit: objectIdentifier('2.5.4.11'),
  // Keys (RFC 8017, RFC 5480, RFC 8410).
  rsaEncryption: objectIdentifier('1.2.840.113549.1.1.1'),
  ecPublicKey: objectIdentifier('1.2.840.10045.2.1'),
  p256: objectIdentifier('1.2.840.10045.3.1.7'),
  p384: objectIdentifier('1.3.132.0.34'),
  ed25519: objectIdentifier('1.3.101.112'),
  // Signatures (RFC 4055, RFC 5758, RFC 8410).
  sha256WithRsa: objectIdentifier('1.2.840.113549.1.1.11'),
  sha384WithRsa: objectIdentifier('1.2.840.113549.1.1.12'),
  sha512WithRsa: objectIdentifier('1.2.840.113549.1.1.13'),
  ecdsaWithSha256: objectIdentifier('1.2.840.10045.4.3.2'),
  ecdsaWithSha384: objectIdentifier('1.2.840.10045.4.3.3'),
  ecdsaWithSha512: objectIdentifier('1.2.840.10045.4.3.4'),
  // Extensions of certificates and revocation lists (RFC 5280 sections 4.2 and 5.2).
  subjectKeyIdentifier: objectIdentifier('2.5.29.14'),
  keyUsage: objectIdentifier('2.5.29.15'),
  subjectAlternativeName: objectIdentifier('2.5.29.17'),
  basicConstraints: objectIdentifier('2.5.29.19'),
  crlNumber: objectIdentifier('2.5.29.20'),
  reasonCode: objectIdentifier('2.5.29.21'),
  crlDistributionPoints: objectIdentifier('2.5.29.31'),
  certificatePolicies: objectIdentifier('2.5.29.32'),
  authorityKeyIdentifier: objectIdentifier('2.5.29.35'),
  extendedKeyUsage: objectIdentifier('2.5.29.37'),
  clientAuth: objectIdentifier('1.3.6.1.5.5.7.3.2'),
  // Requests (RFC 2985), and the answer to a TLS-ALPN-01 challenge (RFC 8737).
  extensionRequest: objectIdentifier('1.2.840.113549.1.9.14'),
  acmeIdentifier: objectIdentifier('1.3.6.1.5.5.7.1.31'),
  // Ours, below the arc that Microsoft leaves to whoever has a UUID, which is of short numbers alone: not
  // every parser takes the long ones of 2.25. What says it is of an agent, and opens no share. It is in
  // certificates: never another one.
  tunnelPolicy: objectIdentifier('1.2.840.113556.1.8000.2554.63288.49991.59918.59219.10701.1336205.14190441'),
  // Key stores (RFC 7292, RFC 8018, RFC 2985).
  data: objectIdentifier('1.2.840.113549.1.7.1'),
  encryptedData: objectIdentifier('1.2.840.113549.1.7.6'),
  shroudedKeyBag: objectIdentifier('1.2.840.113549.1.12.10.1.2'),
  certBag: objectIdentifier('1.2.840.113549.1.12.10.1.3'),
  x509Certificate: objectIdentifier('1.2.840.113549.1.9.22.1'),
  friendlyName: objectIdentifier('1.2.840.113549.1.9.20'),
  localKeyId: objectIdentifier('1.2.840.113549.1.9.21'),
  pbes2: objectIdentifier('1.2.840.113549.1.5.13'),
  pbkdf2: objectIdentifier('1.2.840.113549.1.5.12'),
  hmacWithSha256: objectIdentifier('1.2.840.113549.2.9'),
  aes256Cbc: objectIdentifier('2.16.840.1.101.3.4.1.42'),
  sha256: objectIdentifier('2.16.840.1.101.3.4.2.1'),
  sha1: objectIdentifier('1.3.14.3.2.26'),
  sha1TripleDes: objectIdentifier('1.2.840.113549.1.12.1.3'),
} as const;
