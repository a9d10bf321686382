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
import { CERTIFICATE_ORDERS, REQUEST_TOKEN_ORDERS } from '../../domain/list-orders.ts';
import { CERTIFICATE_ROLES } from '../../domain/role.ts';
import { sortedPageSchema, totalSchema } from '../sorting.ts';
import { DURATION, DURATION_OR_NONE, GLOB } from '../text-patterns.ts';

const text = z.string().max(300);
const timeOrNull = z.iso.datetime().nullable();

export const newTokenSchema = z
  .strictObject({
    name: z.string().min(1).max(64).openapi({ description: 'A label for people.', example: 'ann’s laptop' }),
    commonName: text.openapi({
      description: 'The person or service that the certificate is for.',
      example: 'ann',
    }),
    organization: text.optional().openapi({ description: 'Default: from the certificate policy.' }),
    organizationalUnit: text.optional(),
    emailAddress: text.optional().openapi({ example: 'ann@example.com' }),
    validity: text.optional().openapi({
      pattern: DURATION,
      description: 'How long the certificate is valid. Default 30d, at most 397d.',
    }),
    expiresIn: text
      .optional()
      .openapi({ pattern: DURATION, description: 'How long the token is valid. Default 24h, at most 7d.' }),
    renewableFor: text.optional().openapi({
      pattern: DURATION_OR_NONE,
      description:
        'How long after the first certificate it can be renewed, or `none`. Default: from the certificate policy.',
      example: '365d',
    }),
    apiRole: z.enum(CERTIFICATE_ROLES).optional().openapi({
      description:
        'What the certificate alone allows, if the operator enables client certificates: `tunnel` serves shares, like an API key with that scope; `member` and `admin` call the control API. Default: nothing.',
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
  start: z.string().nullable().openapi({
    description: 'The first characters of the token. Null if it was created before Doorward stored them.',
    example: 'crt_9fK2xA',
  }),
  ...subjectFields,
  validity: z.string().openapi({ example: '30d' }),
  renewableFor: z.string().nullable().openapi({
    description: 'How long its certificate can be renewed, or `none`. Null: as in the certificate policy.',
  }),
  apiRole: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  expiresAt: z.iso.datetime(),
  usedAt: timeOrNull,
  certificateId: z.string().nullable().openapi({ description: 'The certificate that it was redeemed for.' }),
  renews: z.string().nullable().openapi({ description: 'The certificate that its holder renews with it.' }),
};

export const tokenSchema = z
  .object(tokenFields)
  .openapi('CertificateRequestToken') satisfies z.ZodType<TokenObject>;

export const madeTokenSchema = z
  .object({
    ...tokenFields,
    token: z.string().openapi({ description: 'Shown only once.' }),
    redeemUrl: z.string().openapi({ description: 'The page where its holder redeems it.' }),
    qrCode: z.string().openapi({ description: '`redeemUrl` as a QR code, in SVG.' }),
    message: z.string().openapi({ description: 'A message for the holder. Send it over a secure channel.' }),
  })
  .openapi('MadeCertificateRequestToken') satisfies z.ZodType<MadeToken>;

export const tokenPageSchema = z
  .object({ items: z.array(tokenSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('CertificateRequestTokenPage') satisfies z.ZodType<TokenPage>;

export const tokenQuerySchema = sortedPageSchema(REQUEST_TOKEN_ORDERS).extend({
  state: z
    .enum(['open', 'used', 'expired'])
    .optional()
    .openapi({ description: '`open`: can be redeemed. `expired`: expired without being used.' }),
});

export const tokenParamsSchema = z.strictObject({
  token: text.openapi({
    param: { name: 'token', in: 'path' },
    description: 'The id, never the token itself.',
  }),
});

export const certificateSchema = z
  .object({
    id: z.string(),
    name: z.string().openapi({ description: 'The label of its token.' }),
    ...subjectFields,
    serial: z.string().openapi({ description: 'Upper-case hex.' }),
    fingerprint: z.string().openapi({ description: 'SHA-256 of the certificate, in lower-case hex.' }),
    caId: z.string(),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    state: z.enum(['living', 'revoked', 'expired']),
    apiRole: z.string().nullable(),
    allowedBy: z.string().openapi({ description: 'Who created the token.' }),
    tokenId: z.string().nullable().openapi({
      description: 'The token that it was issued for. For a renewal, the token of the first certificate.',
    }),
    renewedFrom: z.string().nullable(),
    createdAt: z.iso.datetime(),
    revokedAt: timeOrNull,
    revocationReason: z.string().nullable(),
    revokedBy: z.string().nullable(),
    lastUsedAt: timeOrNull.openapi({ description: 'When it was last used, to the minute.' }),
    lastUsedOn: z
      .string()
      .nullable()
      .openapi({ description: 'Where it was last used: a share, or `control`.' }),
    lastUsedFrom: z.string().nullable(),
    certificate: z.string().openapi({ description: 'PEM.' }),
  })
  .openapi('ClientCertificate') satisfies z.ZodType<CertificateObject>;

export const certificatePageSchema = z
  .object({ items: z.array(certificateSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('ClientCertificatePage') satisfies z.ZodType<CertificatePage>;

export const certificateQuerySchema = sortedPageSchema(CERTIFICATE_ORDERS).extend({
  email: text
    .optional()
    .openapi({ description: 'Only certificates of this email address, in upper or lower case.' }),
  q: text.optional().openapi({
    description:
      'Only certificates whose label, subject, serial number or fingerprint contains this text, in upper or lower case.',
  }),
  token: text.optional().openapi({
    description: 'Only the certificate issued for the token with this id, and its renewals.',
  }),
  state: z.enum(['living', 'revoked', 'expired']).optional(),
  expiresWithin: text.optional().openapi({
    description: 'Only active certificates that expire within this duration, such as `14d`.',
    example: '14d',
  }),
});

export const certificateParamsSchema = z.strictObject({
  certificate: text.openapi({
    param: { name: 'certificate', in: 'path' },
    description: 'Id, serial number or fingerprint.',
  }),
});

export const revocationReasonSchema = z
  .enum(['unspecified', 'key_compromise', 'affiliation_changed', 'superseded', 'cessation_of_operation'])
  .optional();

export const revocationSchema = z
  .strictObject({ reason: revocationReasonSchema })
  .openapi('Revocation') satisfies z.ZodType<RevocationInput>;

/** The handler sees to it that one is given. */
export const revocationOfSchema = z
  .strictObject({
    emailAddress: text
      .optional()
      .openapi({ description: 'Revokes all certificates of this email address, in upper or lower case.' }),
    serial: text.optional().openapi({
      description:
        'Revokes one certificate by its serial number in hex, even if a restored backup does not contain it.',
      example: '01:7F:3A:90',
    }),
    certificate: z.string().max(40_000).optional().openapi({
      description:
        'Revokes one certificate that this account issued, as PEM, even if a restored backup does not contain it.',
    }),
    reason: revocationReasonSchema,
  })
  .openapi('RevocationOf', {
    description: 'Exactly one of `emailAddress`, `serial` and `certificate`.',
  }) satisfies z.ZodType<RevocationOfInput>;

export const revokedCertificatesSchema = z
  .object({
    revoked: z.array(z.string()).openapi({ description: 'The ids of the revoked certificates.' }),
    serials: z.array(z.string()).openapi({
      description:
        'Serial numbers of revoked certificates that have no id, because a restored backup does not contain them.',
    }),
  })
  .openapi('RevokedCertificates') satisfies z.ZodType<RevokedCertificates>;

export const redeemSchema = z
  .strictObject({
    token: text.optional().openapi({ description: 'The token, unless it is sent as a bearer token.' }),
    csr: z
      .string()
      .max(40_000)
      .openapi({ description: 'A certificate signing request (PKCS #10) as PEM, or as base64 of DER.' }),
  })
  .openapi('Redemption') satisfies z.ZodType<Omit<RedeemInput, 'token'>>;

export const renewalSchema = z
  .strictObject({
    csr: z.string().max(40_000).optional().openapi({
      description: 'A certificate signing request for a new key. Default: the certificate keeps its key.',
    }),
  })
  .openapi('Renewal') satisfies z.ZodType<RenewalInput>;

export const redeemedSchema = z
  .object({
    certificate: z.string().openapi({ description: 'PEM.' }),
    chain: z.string().openapi({ description: 'The CA certificate that signed it, as PEM.' }),
    serial: z.string(),
    notAfter: z.iso.datetime(),
  })
  .openapi('RedeemedCertificate') satisfies z.ZodType<RedeemedCertificate>;

const revocationListSchema = z
  .object({
    url: z.string().openapi({ description: 'The public URL of the CRL, as in the certificates.' }),
    number: z.number().int().openapi({ description: 'Greater than the number of every earlier CRL.' }),
    thisUpdate: z.iso.datetime(),
    nextUpdate: z.iso.datetime(),
    entries: z
      .number()
      .int()
      .openapi({ description: 'The number of revoked certificates that have not expired.' }),
  })
  .openapi('RevocationList') satisfies z.ZodType<RevocationListObject>;

export const authoritySchema = z
  .object({
    id: z.string(),
    certificate: z.string().openapi({ description: 'PEM.' }),
    commonName: z.string().nullable(),
    fingerprint: z.string().openapi({ description: 'SHA-256 of the CA certificate, in lower-case hex.' }),
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
      description: 'How long after the first certificate it can be renewed, or `none`. Null: 397d.',
    }),
  })
  .openapi('CertificatePolicy') satisfies z.ZodType<PolicyObject>;

export const policyChangesSchema = z
  .strictObject({
    organization: text.nullable().optional().openapi({ description: 'What every subject must contain.' }),
    organizationalUnits: z
      .array(text)
      .max(100)
      .optional()
      .openapi({ description: 'The allowed values. Empty: any value.' }),
    commonNamePattern: text.nullable().optional().openapi({
      pattern: GLOB,
      description: '`*` matches any text, `?` one character, and `\\` makes the next character literal.',
    }),
    maxValidity: text.nullable().optional().openapi({ pattern: DURATION, example: '90d' }),
    renewalByLogin: z.boolean().optional().openapi({
      description:
        'Whether people can renew their own certificates under "My access" shortly before they expire. Default false.',
    }),
    renewableFor: text.nullable().optional().openapi({
      pattern: DURATION_OR_NONE,
      description:
        'How long after the first certificate it can be renewed: at most 3650d, or `none`. Null: 397d.',
      example: '365d',
    }),
  })
  .openapi('CertificatePolicyChanges') satisfies z.ZodType<PolicyChanges>;
