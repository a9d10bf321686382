// Whether the certificates are sound, and are for the names that they are shown for.

import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { isAtGateway } from '../../config/check-together.ts';
import type { Config, TlsFiles } from '../../config/config.ts';
import { readTlsFiles } from '../../config/tls-files.ts';
import { type Check, fails, passes, warns } from '../../domain/check.ts';
import { isLoopbackName } from '../../domain/host-name.ts';
import { type AcmeExamination, NO_ACME } from '../../store/acme/examine-acme.ts';
import { isAcquired } from './acme-checks.ts';
import { tunnelUrl } from '../../serve/gate-settings.ts';

/** `customHosts` are those at which shares answer beside the one below the share domain. */
export async function tlsChecks(
  config: Config,
  now: number,
  customHosts: readonly string[],
  acme: AcmeExamination = NO_ACME,
): Promise<readonly Check[]> {
  const files = await Promise.all(config.tls.map((pair) => examineFiles(pair, now)));
  const chains = files.flatMap(({ chain }) => (chain === null ? [] : [chain]));
  return [
    ...files.flatMap(({ checks }) => checks),
    ...placesOf(config).map((place) =>
      isAcquired(acme, place.host, now) && place.ends
        ? passes(place.name, 'has a certificate that came by itself')
        : awaitedCheck(config, place, coverageCheck(place, chains)),
    ),
    ...customHostChecks(config, customHosts, chains),
  ];
}

type Chain = {
  readonly file: string;
  readonly leaf: X509Certificate;
  readonly rest: readonly X509Certificate[];
};

type Examined = { readonly checks: readonly Check[]; readonly chain: Chain | null };

async function examineFiles(files: TlsFiles, now: number): Promise<Examined> {
  try {
    const chain = await readChain(files);
    const fits = passes('certificate', `${chain.file}, with its key`);
    const checks = [fits, await keyFileCheck(files), datesCheck(chain, now), chainCheck(chain)];
    return { checks, chain };
  } catch (error) {
    const found = error instanceof Error ? error.message : 'it cannot be read';
    const check = fails('certificate', found, 'Put a PEM certificate with its chain there, and its key.');
    return { checks: [check], chain: null };
  }
}

async function readChain(files: TlsFiles): Promise<Chain> {
  const file = files.certificateFile;
  const [pair] = await readTlsFiles([files]);
  const [leaf, ...rest] = (pair?.certificate.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  if (leaf === undefined) throw new Error(`Cannot use ${file}: it contains no certificate`);
  return { file, leaf, rest };
}

async function keyFileCheck({ keyFile }: TlsFiles): Promise<Check> {
  const { mode } = await stat(keyFile);
  if ((mode & WORLD) === 0) return passes('key file', `${keyFile} is not accessible to everybody`);
  return fails('key file', `${keyFile} is accessible to everybody`, `chmod 600 ${keyFile}`);
}

function datesCheck({ file, leaf }: Chain, now: number): Check {
  const from = Date.parse(leaf.validFrom);
  const until = Date.parse(leaf.validTo);
  const day = new Date(until).toISOString().slice(0, 10);
  if (now < from)
    return fails(
      'dates',
      `${file} is not valid before ${new Date(from).toISOString()}`,
      'Check the clock of this machine.',
    );
  if (now >= until)
    return fails('dates', `${file} expired on ${day}`, 'Renew it; Doorward loads a changed file at once.');
  const days = Math.floor((until - now) / DAY_MS);
  if (days < SOON_DAYS)
    return warns(
      'dates',
      `${file} expires on ${day}, in ${days} days`,
      'Renew it; Doorward loads a changed file at once.',
    );
  return passes('dates', `${file} is valid until ${day}`);
}

/** Browsers mend a missing link now and then, programs never. */
function chainCheck({ file, leaf, rest }: Chain): Check {
  let last = leaf;
  for (const next of rest) {
    if (!last.checkIssued(next))
      return fails('chain', `${file}: its certificates are in the wrong order`, ORDER_HINT);
    last = next;
  }
  if (isKnownRoot(last)) return passes('chain', `${file} leads to a CA that this machine trusts`);
  const ends = last.checkIssued(last)
    ? 'itself: it is self-signed, so browsers reject it'
    : 'a CA that this machine does not trust';
  return warns('chain', `${file} leads to ${ends}`, CHAIN_HINT);
}

function isKnownRoot(certificate: X509Certificate): boolean {
  return rootCertificates.some((pem) => {
    const root = new X509Certificate(pem);
    return root.fingerprint256 === certificate.fingerprint256 || certificate.checkIssued(root);
  });
}

type Place = {
  readonly name: string;
  readonly host: string;
  readonly https: boolean;
  readonly ends: boolean;
};

/** Every public address, and whether TLS ends here. */
function placesOf(config: Config): readonly Place[] {
  const { gateway, oauth, control } = config;
  const { publicUrl } = gateway;
  const placeOf = (name: string, url: URL, tls: boolean): Place => ({
    name,
    host: url.hostname,
    https: url.protocol === 'https:',
    ends: isAtGateway(url, publicUrl) ? gateway.tls : tls,
  });
  return [
    {
      name: 'shares',
      host: `${ANY_SHARE}${publicUrl.domain}`,
      https: publicUrl.scheme === 'https',
      ends: gateway.tls,
    },
    placeOf('tunnels', tunnelUrl(config), config.tunnel?.tls ?? gateway.tls),
    placeOf('OAuth frontend', oauth.endpointUrl, oauth.tls),
    placeOf('control API', control.publicUrl, control.tls),
  ];
}

function coverageCheck({ name, host, https, ends }: Place, chains: readonly Chain[]): Check {
  if (!https)
    return isLoopbackName(host)
      ? passes(name, 'plain http, on this machine')
      : warns(name, 'plain http', 'Somebody on the network path can read and change everything: use https.');
  if (!ends) return passes(name, 'TLS ends in front of this service, at a load balancer or proxy');
  const found = chains.find(({ leaf }) => leaf.checkHost(host) !== undefined);
  const shown = host.startsWith(ANY_SHARE) ? `*.${host.slice(ANY_SHARE.length)}` : host;
  if (found !== undefined) return passes(name, `${found.file} covers ${shown}`);
  return fails(
    name,
    `no certificate covers ${shown}`,
    `Get one whose names include ${shown}, and list it under tls.`,
  );
}

/** With `acme`, what is missing is on its way; `acmeChecks()` tells of what failed. */
function awaitedCheck({ acme }: Config, { name, host, ends }: Place, check: Check): Check {
  if (acme === null || !ends || check.state !== 'fail') return check;
  return host.startsWith(ANY_SHARE) && acme.dns === null
    ? passes(name, 'each share gets a certificate of its own when it is first visited')
    : passes(name, 'serve gets its certificate by itself');
}

/** None of their owners can put a certificate here: whoever lets shares have hosts of their own does. */
function customHostChecks(
  { gateway, acme }: Config,
  hosts: readonly string[],
  chains: readonly Chain[],
): readonly Check[] {
  if (hosts.length === 0 || gateway.publicUrl.scheme !== 'https') return [];
  const count = hosts.length === 1 ? '1 host' : `${hosts.length} hosts`;
  if (!gateway.tls) return [passes('custom hosts', `${count}; TLS ends in front of this service`)];
  const bare = hosts.filter((host) => !chains.some(({ leaf }) => leaf.checkHost(host) !== undefined));
  if (bare.length === 0) return [passes('custom hosts', `${count}, each covered by a certificate`)];
  if (acme !== null)
    return [passes('custom hosts', `${count}; each gets a certificate of its own when it is first visited`)];
  const more = bare.length > MOST_SHOWN ? ` and ${bare.length - MOST_SHOWN} more` : '';
  return [
    fails(
      'custom hosts',
      `no certificate covers ${bare.slice(0, MOST_SHOWN).join(', ')}${more}`,
      'Get certificates for them and list those under tls, or delete the hosts.',
    ),
  ];
}

/** A share that nobody has: only a wildcard is for it. */
const ANY_SHARE = 'doctor-looks-here.';
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MOST_SHOWN = 5;
/** Others than owner and group: authorities' tools let a group of services read keys. */
const WORLD = 0o007;
const DAY_MS = 86_400_000;
/** Renewal tools renew 30 days before the end; by then two weeks of tries have failed. */
const SOON_DAYS = 14;
const ORDER_HINT = 'Put the server’s certificate first, then each certificate that signed the previous one.';
const CHAIN_HINT =
  'Append the intermediate certificates. If you use your own CA, install its certificate on visitors’ machines.';
