// The smaller sections: certificates, control, tunnel, brand and log (DESIGN 2.1).

import { parseEmailAddress } from '../domain/email-address.ts';
import { baseUrlText, bindAddressText, plainUrlText } from './address-text.ts';
import type {
  BrandConfig,
  Config,
  ControlCertificates,
  ControlConfig,
  ForwardAuthConfig,
  PkiConfig,
  TlsFiles,
  TunnelConfig,
} from './config.ts';
import { keysOf, TLS_FIELDS } from './describe.ts';
import { readListener } from './read-listener.ts';
import { readImage } from './read-image.ts';
import { readOperators } from './read-operators.ts';
import {
  allRead,
  complete,
  fault,
  listAt,
  openSection,
  readBoolean,
  readOptional,
  readSecret,
  readText,
  Refusal,
  resolvePath,
  type ReadContext,
  type Section,
} from './section.ts';

/** The pairs of `tls`; `top` is the file as a section. */
export function readTlsFilesList(top: Section): readonly TlsFiles[] | undefined {
  if (!top.entries.has('tls')) return [];
  const items = listAt(top, 'tls');
  const pairs = items?.map((tree, index) => {
    const section = openSection(top.context, { path: `tls[${index}]`, tree, known: keysOf(TLS_FIELDS) });
    if (section === undefined) return undefined;
    const parse = pathText(section.context);
    return complete({
      certificateFile: readText(section, 'certificate_file', parse),
      keyFile: readText(section, 'key_file', parse),
    });
  });
  return pairs === undefined ? undefined : allRead(pairs);
}

export function readControl(section: Section, hasCertificates: boolean): ControlConfig | undefined {
  const listener = readPublicListener(section, hasCertificates);
  const clientCertificates = readOptional(section, 'client_certificates', {
    parse: controlCertificatesText,
    absent: 'none' as const,
  });
  const operators = readOperators(section);
  return listener === undefined || clientCertificates === undefined || operators === undefined
    ? undefined
    : { ...listener, clientCertificates, operators };
}

/** `control` and `tunnel` alike. */
export function readPublicListener(section: Section, hasCertificates: boolean): TunnelConfig | undefined {
  const listener = readListener(section, hasCertificates);
  const publicUrl = readText(section, 'public_url', baseUrlText(section.context));
  return listener === undefined || publicUrl === undefined ? undefined : { ...listener, publicUrl };
}

export function readForwardAuth(section: Section): ForwardAuthConfig | undefined {
  const secret = readSecret(section, 'secret', MIN_SECRET_LENGTH);
  if (secret !== undefined && !/^[!-~]+$/.test(secret.reveal()))
    fault(section, 'secret', {
      found: 'characters that a header cannot carry',
      wanted: 'visible ASCII without spaces',
    });
  return complete({
    secret,
    clientCertificates: readBoolean(section, 'client_certificates', false),
  });
}

export function readPki(section: Section): PkiConfig | undefined {
  return complete({
    bindAddress: readText(section, 'bind_address', bindAddressText),
    publicUrl: readText(section, 'public_url', plainUrlText),
    tls: false,
  });
}

export function readBrand(section: Section | null): BrandConfig | undefined {
  if (section === null) return { name: DEFAULT_BRAND_NAME, logo: null, contact: null };
  return complete({
    name: readOptional(section, 'name', { parse: brandNameText, absent: DEFAULT_BRAND_NAME }),
    logo: readOptional(section, 'logo_file', {
      parse: (text) => readImage(section.context, text, MAX_LOGO_BYTES),
      absent: null,
    }),
    contact: readOptional(section, 'contact', { parse: contactText, absent: null }),
  });
}

export function readLog(section: Section | null): Config['log'] | undefined {
  if (section === null) return { level: 'info', access: true };
  return complete({
    level: readOptional(section, 'level', { parse: levelText, absent: 'info' as const }),
    access: readBoolean(section, 'access', true),
  });
}

function pathText(context: ReadContext): (text: string) => string {
  return (text) => resolvePath(context, text);
}

function brandNameText(text: string): string | Refusal {
  return [...text].length <= MAX_BRAND_NAME && text.trim() === text
    ? text
    : new Refusal(`a name of at most ${MAX_BRAND_NAME} characters`);
}

/** An email address or an https address. */
function contactText(text: string): string | Refusal {
  if (parseEmailAddress(text) !== null && !text.includes('/')) return text;
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === ''
    ? url.href
    : new Refusal('an email address or an https address');
}

function controlCertificatesText(text: string): ControlCertificates | Refusal {
  const known = CONTROL_CERTIFICATES.find((each) => each === text);
  return known ?? new Refusal(`one of ${CONTROL_CERTIFICATES.join(', ')}`);
}

function levelText(text: string): Config['log']['level'] | Refusal {
  return LEVELS.find((level) => level === text) ?? new Refusal(`one of ${LEVELS.join(', ')}`);
}

const CONTROL_CERTIFICATES = ['none', 'optional', 'required'] as const;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** As a signing key: nobody guesses it. */
const MIN_SECRET_LENGTH = 32;
const DEFAULT_BRAND_NAME = 'Doorward';
/** One line at the head of a page on a phone. */
const MAX_BRAND_NAME = 60;
/** It travels within every page. */
const MAX_LOGO_BYTES = 64 * 1024;
