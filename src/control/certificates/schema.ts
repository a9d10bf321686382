// The schemas that check requests about certificates, and from which the API's description is made (DESIGN
// 2.5, 2.6).

import { z } from '@hono/zod-openapi';
import type {
  AuthoritiesObject,
  AuthorityObject,
  CertificateObject,
  CertificatePage,
  MadeToken,
  NewTokenObject,
  PolicyChanges,
  PolicyObject,
  RedeemedCertificate,
  RedeemInput,
  RenewalInput,
  RevocationListObject,
  RevocationOfInput,
  RevocationInput,
  RevokedCertificates,
  TokenObject,
  TokenPage,
} from '../../wire/certificate.ts';
import { CERTIFICATE_ROLES } from '../../domain/role.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { DURATION, DURATION_OR_NONE, GLOB } from '../text-patterns.ts';

const text = z.string().max(300);
const timeOrNull = z.iso.datetime().nullable();

export const newTokenSchema = z
  .strictObject({
    name: z.string().min(1).max(100).openapi({ description: 'For people.', example: 'ann’s laptop' }),
    commonName: text.openapi({ description: 'Whom or what the certificate is for.', example: 'ann' }),
    organization: text.optional().openapi({ description: 'Default: from the account’s rules.' }),
    organizationalUnit: text.optional(),
    emailAddress: text.optional().openapi({ example: 'ann@example.com' }),
    validity: text
      .optional()
      .openapi({ pattern: DURATION, description: 'Of the certificate: Default 30d, at most 397d.' }),
    expiresIn: text
      .optional()
      .openapi({ pattern: DURATION, description: 'Of the token: default 24h, at most 7d.' }),
    renewableFor: text.optional().openapi({
      pattern: DURATION_OR_NONE,
      description:
        'For how long after the first certificate it may be renewed, as a duration, or `none`. As the account’s rules say unless given.',
      example: '365d',
    }),
    apiRole: z.enum(CERTIFICATE_ROLES).optional().openapi({
      description:
        'What its holder may do with it alone, where the operator lets certificates in: `tunnel` serves shares as an API key of that scope does, `member` and `admin` call the control API. Default: nothing.',
    }),
  })
  .openapi('NewCertificateRequestToken') satisfies z.ZodType<NewTokenObject>;

const subjectFields = {
  commonName: z.string(),
  organization: z.string().nullable(),
  organizationalUnit: z.string().nullable(),
  emailAddress: z.string().nullable(),
};

const tokenFields = {
  id: z.string(),
  name: z.string(),
  ...subjectFields,
  validity: z.string().openapi({ example: '30d' }),
  renewableFor: z.string().nullable().openapi({
    description: 'For how long its certificate may be renewed, or `none`; null: as the account’s rules say.',
  }),
  apiRole: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  expiresAt: z.iso.datetime(),
  usedAt: timeOrNull,
  certificateId: z.string().nullable().openapi({ description: 'What it was redeemed for.' }),
  renews: z.string().nullable().openapi({ description: 'The certificate whose holder asked for it.' }),
};

export const tokenSchema = z
  .object(tokenFields)
  .openapi('CertificateRequestToken') satisfies z.ZodType<TokenObject>;

export const madeTokenSchema = z
  .object({
    ...tokenFields,
    token: z.string().openapi({ description: 'Shown only once.' }),
    redeemUrl: z.string().openapi({ description: 'Where its holder redeems it.' }),
    qrCode: z.string().openapi({ description: 'The same as a QR code: SVG.' }),
    message: z.string().openapi({ description: 'Ready to be sent over a secure channel.' }),
  })
  .openapi('MadeCertificateRequestToken') satisfies z.ZodType<MadeToken>;

export const tokenPageSchema = z
  .object({ items: z.array(tokenSchema), nextCursor: z.string().nullable() })
  .openapi('CertificateRequestTokenPage') satisfies z.ZodType<TokenPage>;

export const tokenQuerySchema = pageQuerySchema.extend({
  state: z
    .enum(['open', 'used', 'expired'])
    .optional()
    .openapi({ description: '`open` are good still; `expired` are over and were never used.' }),
});

export const tokenParamsSchema = z.strictObject({
  token: text.openapi({
    param: { name: 'token', in: 'path' },
    description: 'Its id; never the token itself.',
  }),
});

export const certificateSchema = z
  .object({
    id: z.string(),
    name: z.string().openapi({ description: 'For people: that of the token.' }),
    ...subjectFields,
    serial: z.string().openapi({ description: 'Upper-case hex.' }),
    fingerprint: z.string().openapi({ description: 'SHA-256 of it, lower-case hex.' }),
    caId: z.string(),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    state: z.enum(['living', 'revoked', 'expired']),
    apiRole: z.string().nullable(),
    allowedBy: z.string().openapi({ description: 'Who made the token.' }),
    tokenId: z.string().nullable().openapi({
      description: 'The token that it, or the first one that it was renewed from, was redeemed for.',
    }),
    renewedFrom: z.string().nullable(),
    createdAt: z.iso.datetime(),
    revokedAt: timeOrNull,
    revocationReason: z.string().nullable(),
    revokedBy: z.string().nullable(),
    lastUsedAt: timeOrNull.openapi({ description: 'To the minute.' }),
    lastUsedOn: z.string().nullable().openapi({ description: 'A share, or `control`.' }),
    lastUsedFrom: z.string().nullable(),
    certificate: z.string().openapi({ description: 'PEM.' }),
  })
  .openapi('ClientCertificate') satisfies z.ZodType<CertificateObject>;

export const certificatePageSchema = z
  .object({ items: z.array(certificateSchema), nextCursor: z.string().nullable() })
  .openapi('ClientCertificatePage') satisfies z.ZodType<CertificatePage>;

export const certificateQuerySchema = pageQuerySchema.extend({
  email: text.optional().openapi({ description: 'Only of this address, in any case.' }),
  q: text.optional().openapi({
    description: 'Only those whose name, subject, serial or fingerprint contains this, in any case.',
  }),
  token: text.optional().openapi({
    description: 'Only what was redeemed for this token, by its id, and what was renewed from that.',
  }),
  state: z.enum(['living', 'revoked', 'expired']).optional(),
  expiresWithin: text.optional().openapi({
    description: 'Only those that are living and over within this time: `14d`.',
    example: '14d',
  }),
});

export const certificateParamsSchema = z.strictObject({
  certificate: text.openapi({
    param: { name: 'certificate', in: 'path' },
    description: 'Id, serial or fingerprint.',
  }),
});

const reason = z
  .enum(['unspecified', 'key_compromise', 'affiliation_changed', 'superseded', 'cessation_of_operation'])
  .optional();

export const revocationSchema = z
  .strictObject({ reason })
  .openapi('Revocation') satisfies z.ZodType<RevocationInput>;

/** The handler sees to it that one is given. */
export const revocationOfSchema = z
  .strictObject({
    emailAddress: text.optional().openapi({ description: 'All certificates of this person, in any case.' }),
    serial: text.optional().openapi({
      description:
        'One certificate, by its serial number in hex, also when a restored backup does not hold it.',
      example: '01:7F:3A:90',
    }),
    certificate: z.string().max(40_000).optional().openapi({
      description:
        'One certificate that this account issued, as PEM, also when a restored backup does not hold it.',
    }),
    reason,
  })
  .openapi('RevocationOf', {
    description: 'Exactly one of `emailAddress`, `serial` and `certificate`.',
  }) satisfies z.ZodType<RevocationOfInput>;

export const revokedCertificatesSchema = z
  .object({
    revoked: z.array(z.string()).openapi({ description: 'Their ids.' }),
    serials: z.array(z.string()).openapi({
      description: 'Serial numbers of those that have no id, since a restored backup does not hold them.',
    }),
  })
  .openapi('RevokedCertificates') satisfies z.ZodType<RevokedCertificates>;

export const redeemSchema = z
  .strictObject({
    token: text.optional().openapi({ description: 'The token, unless it is sent as bearer.' }),
    csr: z.string().max(40_000).openapi({ description: 'PKCS #10 as PEM, or as base64 of DER.' }),
  })
  .openapi('Redemption') satisfies z.ZodType<Omit<RedeemInput, 'token'>>;

export const renewalSchema = z
  .strictObject({
    csr: z.string().max(40_000).optional().openapi({
      description:
        'For a new key, as when a token is redeemed. The key of the certificate is kept unless given.',
    }),
  })
  .openapi('Renewal') satisfies z.ZodType<RenewalInput>;

export const redeemedSchema = z
  .object({
    certificate: z.string().openapi({ description: 'PEM.' }),
    chain: z.string().openapi({ description: 'The authority that signed it, PEM.' }),
    serial: z.string(),
    notAfter: z.iso.datetime(),
  })
  .openapi('RedeemedCertificate') satisfies z.ZodType<RedeemedCertificate>;

const revocationListSchema = z
  .object({
    url: z.string().openapi({ description: 'Where anybody fetches it, as the certificates say.' }),
    number: z.number().int().openapi({ description: 'Greater than that of each list before.' }),
    thisUpdate: z.iso.datetime(),
    nextUpdate: z.iso.datetime(),
    entries: z.number().int().openapi({ description: 'How many are revoked and not yet over.' }),
  })
  .openapi('RevocationList') satisfies z.ZodType<RevocationListObject>;

export const authoritySchema = z
  .object({
    id: z.string(),
    certificate: z.string().openapi({ description: 'PEM.' }),
    commonName: z.string().nullable(),
    fingerprint: z.string().openapi({ description: 'SHA-256, lower-case hex.' }),
    createdAt: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    issuing: z.boolean(),
    revocationList: revocationListSchema,
  })
  .openapi('AccountCa') satisfies z.ZodType<AuthorityObject>;

export const authoritiesSchema = z
  .object({ items: z.array(authoritySchema), bundleUrl: z.string(), crlUrl: z.string() })
  .openapi('AccountCas') satisfies z.ZodType<AuthoritiesObject>;

export const policySchema = z
  .object({
    organization: z.string().nullable(),
    organizationalUnits: z.array(z.string()),
    commonNamePattern: z.string().nullable(),
    maxValidity: z.string().nullable(),
    renewalByLogin: z.boolean(),
    renewableFor: z.string().nullable().openapi({
      description: 'For how long after the first one a certificate may be renewed, or `none`; null: 397d.',
    }),
  })
  .openapi('CertificatePolicy') satisfies z.ZodType<PolicyObject>;

export const policyChangesSchema = z
  .strictObject({
    organization: text.nullable().optional().openapi({ description: 'What every subject must have.' }),
    organizationalUnits: z
      .array(text)
      .max(100)
      .optional()
      .openapi({ description: 'One of them; none: any.' }),
    commonNamePattern: text.nullable().optional().openapi({
      pattern: GLOB,
      description: '`*` any run, `?` one character, `\\` takes the next as it is.',
    }),
    maxValidity: text.nullable().optional().openapi({ pattern: DURATION, example: '90d' }),
    renewalByLogin: z.boolean().optional().openapi({
      description:
        'Whether people may renew their own certificates near their end by logging in to "My access". False unless set.',
    }),
    renewableFor: text.nullable().optional().openapi({
      pattern: DURATION_OR_NONE,
      description:
        'For how long after the first one a certificate may be renewed: a duration of at most 3650d, or `none`. 397d for null.',
      example: '365d',
    }),
  })
  .openapi('CertificatePolicyChanges') satisfies z.ZodType<PolicyChanges>;
