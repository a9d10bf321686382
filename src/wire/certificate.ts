// Certificates, their request tokens, authorities and rules as the control API shows and takes them (DESIGN
// 2.6). Times are RFC 3339.

export type SubjectObject = {
  readonly commonName: string;
  readonly organization: string | null;
  readonly organizationalUnit: string | null;
  readonly emailAddress: string | null;
};

export type NewTokenObject = {
  readonly name: string;
  readonly commonName: string;
  readonly organization?: string | undefined;
  readonly organizationalUnit?: string | undefined;
  readonly emailAddress?: string | undefined;
  readonly validity?: string | undefined;
  readonly expiresIn?: string | undefined;
  /** A duration, or `none`. */
  readonly renewableFor?: string | undefined;
  readonly apiRole?: 'tunnel' | 'member' | 'admin' | undefined;
};

export type TokenObject = SubjectObject & {
  readonly id: string;
  readonly name: string;
  /** Its first characters, such as `crt_9fK2xA`; null for one of before these were kept. */
  readonly start: string | null;
  readonly validity: string;
  /** For how long its certificate may be renewed; null: as the rules say. */
  readonly renewableFor: string | null;
  readonly apiRole: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  readonly certificateId: string | null;
  /** The certificate whose holder asked for it; null for one that an admin made. */
  readonly renews: string | null;
};

/** With the token and what to send to its holder: shown this once. */
export type MadeToken = TokenObject & {
  readonly token: string;
  /** Opens the page where it is redeemed; the token is in the fragment, which no server sees. */
  readonly redeemUrl: string;
  /** The same as a QR code, for a phone: SVG. */
  readonly qrCode: string;
  /** Ready to be sent, over a secure channel. */
  readonly message: string;
};

export type TokenPage = {
  readonly items: readonly TokenObject[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001; null where that would take too long. */
  readonly total?: number | null | undefined;
};

export type CertificateObject = SubjectObject & {
  readonly id: string;
  /** For people: that of the token. */
  readonly name: string;
  readonly serial: string;
  /** SHA-256, lower-case hex. */
  readonly fingerprint: string;
  readonly caId: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly state: 'living' | 'revoked' | 'expired';
  readonly apiRole: string | null;
  readonly allowedBy: string;
  readonly tokenId: string | null;
  readonly renewedFrom: string | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly revocationReason: string | null;
  readonly revokedBy: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedOn: string | null;
  readonly lastUsedFrom: string | null;
  /** PEM. */
  readonly certificate: string;
};

export type CertificatePage = {
  readonly items: readonly CertificateObject[];
  readonly nextCursor: string | null;
  /** As of tokens. */
  readonly total?: number | null | undefined;
};

export type RevocationInput = {
  readonly reason?:
    | 'unspecified'
    | 'key_compromise'
    | 'affiliation_changed'
    | 'superseded'
    | 'cessation_of_operation'
    | undefined;
};

/** Exactly one of the three. */
export type RevocationOfInput = RevocationInput & {
  readonly emailAddress?: string | undefined;
  readonly serial?: string | undefined;
  /** PEM. */
  readonly certificate?: string | undefined;
};

/** Ids, and serial numbers of those that the service does not know. */
export type RevokedCertificates = {
  readonly revoked: readonly string[];
  readonly serials: readonly string[];
};

export type RedeemInput = { readonly token: string; readonly csr: string };

/** With the key of the certificate unless a CSR is given. */
export type RenewalInput = { readonly csr?: string | undefined };

export type RedeemedCertificate = {
  /** PEM, as `chain`. */
  readonly certificate: string;
  readonly chain: string;
  readonly serial: string;
  readonly notAfter: string;
};

export type AuthorityObject = {
  readonly id: string;
  /** PEM. */
  readonly certificate: string;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly fingerprint: string;
  /** Null when the name has none. */
  readonly commonName: string | null;
  readonly createdAt: string;
  readonly notAfter: string;
  readonly issuing: boolean;
  readonly revocationList: RevocationListObject;
};

/** What an authority has revoked, as it is published now. */
export type RevocationListObject = {
  readonly url: string;
  readonly number: number;
  readonly thisUpdate: string;
  readonly nextUpdate: string;
  /** How many certificates are on it. */
  readonly entries: number;
};

export type AuthoritiesObject = {
  /** Those that are trusted; the one that issues first. */
  readonly items: readonly AuthorityObject[];
  /** All of them as one PEM file, and the revocation list of the one that issues. */
  readonly bundleUrl: string;
  readonly crlUrl: string;
};

export type PolicyObject = {
  readonly organization: string | null;
  readonly organizationalUnits: readonly string[];
  readonly commonNamePattern: string | null;
  readonly maxValidity: string | null;
  /** Whether holders may renew by logging in. */
  readonly renewalByLogin: boolean;
  /**
   * For how long a certificate may be renewed after the first of its line: a duration, `none`, or null for
   * 397d.
   */
  readonly renewableFor: string | null;
};

/** What is left out stays. */
export type PolicyChanges = { readonly [Field in keyof PolicyObject]?: PolicyObject[Field] | undefined };
