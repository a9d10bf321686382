// What a reload cannot change, because something is already bound to it or opened. Pure.

import type { Config } from '../config/config.ts';
import { Secret, shortHash } from '../domain/secret.ts';

/** The paths of settings that differ and stay as they were until a restart. */
export function restartNeeded(running: Config, wanted: Config): readonly string[] {
  return SETTINGS.filter(({ of }) => textOf(of(running)) !== textOf(of(wanted))).map(({ path }) => path);
}

/** `wanted`, with what cannot change as it is in `running`. */
export function withoutRestart(running: Config, wanted: Config): Config {
  return {
    ...wanted,
    // Listeners that speak TLS go on doing so.
    tls: hasCertificates(wanted) === hasCertificates(running) ? wanted.tls : running.tls,
    acme: running.acme,
    store: {
      ...wanted.store,
      engine: running.store.engine,
      masterKeyFile: running.store.masterKeyFile,
    },
    gateway: {
      ...wanted.gateway,
      bindAddress: running.gateway.bindAddress,
      tls: running.gateway.tls,
      workers: running.gateway.workers,
      publicUrl: running.gateway.publicUrl,
    },
    oauth: { ...wanted.oauth, bindAddress: running.oauth.bindAddress, tls: running.oauth.tls },
    control: {
      ...wanted.control,
      bindAddress: running.control.bindAddress,
      tls: running.control.tls,
      clientCertificates: running.control.clientCertificates,
    },
    tunnel: running.tunnel,
    pki: running.pki,
    metrics: running.metrics,
    tracing: running.tracing,
    log: { ...wanted.log, level: running.log.level },
  };
}

/** Secrets print as nothing; their hashes tell whether they changed. */
function textOf(setting: unknown): string {
  return JSON.stringify(setting, function (this: Readonly<Record<string, unknown>>, key, printed: unknown) {
    const value = this[key];
    return value instanceof Secret ? shortHash(value.reveal()) : printed;
  });
}

function hasCertificates({ tls, acme }: Config): boolean {
  return tls.length > 0 || acme !== null;
}

const SETTINGS: readonly { readonly path: string; readonly of: (config: Config) => unknown }[] = [
  { path: 'acme', of: ({ acme }) => acme },
  { path: 'gateway.bind_address', of: ({ gateway }) => [gateway.bindAddress, gateway.tls] },
  { path: 'gateway.public_url', of: ({ gateway }) => gateway.publicUrl },
  { path: 'gateway.workers', of: ({ gateway }) => gateway.workers },
  { path: 'oauth.bind_address', of: ({ oauth }) => [oauth.bindAddress, oauth.tls] },
  { path: 'control.bind_address', of: ({ control }) => [control.bindAddress, control.tls] },
  { path: 'control.client_certificates', of: ({ control }) => control.clientCertificates },
  { path: 'tunnel', of: ({ tunnel }) => tunnel },
  { path: 'store.url', of: ({ store }) => store.engine },
  { path: 'store.master_key_file', of: ({ store }) => store.masterKeyFile },
  { path: 'pki', of: ({ pki }) => pki },
  { path: 'metrics', of: ({ metrics }) => metrics },
  { path: 'tracing', of: ({ tracing }) => tracing },
  { path: 'log.level', of: ({ log }) => log.level },
];

/** For the reference of the configuration. */
export const RESTART_SETTINGS: readonly string[] = SETTINGS.map(({ path }) => path);
