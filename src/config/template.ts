// The text of a new `doorward.yaml`, for `doorward init`: sound as it stands, with a provider to fill in.

import { ServiceError } from '../domain/service-error.ts';
import { isLoopbackName } from '../domain/host-name.ts';
import { type PublicBase, hostOrigin } from '../domain/share-name.ts';
import { parseConfig } from './parse.ts';

export type TemplateValues = {
  /** Where the file will lie, absolute. */
  readonly file: string;
  /** `https://*.share.example.com`; the star may be left out. */
  readonly publicUrl: string;
  /** Whom the certificate authority writes to; null for no certificates that come by themselves. */
  readonly acmeEmail: string | null;
  /** Fresh, of letters and digits. */
  readonly signingKey: string;
  readonly encryptionKey: string;
  readonly proxySecret: string;
};

/** Throws `usage` when nothing can be published at the public URL. */
export function renderTemplate(values: TemplateValues): string {
  const base = readPublicUrl(values.publicUrl);
  if (values.acmeEmail !== null) requireAcme(values.acmeEmail, values.publicUrl);
  const text = templateText(values, base);
  const parsed = parseConfig(text, { file: values.file, readFile: refuseToRead });
  if ('config' in parsed) return text;
  const [fault] = parsed.faults;
  throw publicUrlFault(values.publicUrl, `found ${fault?.found}; wanted ${fault?.wanted}`);
}

/** Whether a public authority could certify these shares, and look at them. Throws `usage`. */
export function canGetCertificates(publicUrl: string): boolean {
  const { scheme, domain, port } = readPublicUrl(publicUrl);
  return scheme === 'https' && port === 443 && domain.includes('.') && !isLoopbackName(domain);
}

function readPublicUrl(text: string): PublicBase {
  const parts = /^(https?):\/\/(?:\*\.)?([a-z0-9.-]+)(?::(\d{1,5}))?\/?$/i.exec(text);
  if (parts === null) throw publicUrlFault(text, 'it is not an http(s) URL of scheme, host and port');
  const scheme = parts[1]?.toLowerCase() === 'https' ? 'https' : 'http';
  const port = parts[3] === undefined ? (scheme === 'https' ? 443 : 80) : Number(parts[3]);
  return { scheme, domain: (parts[2] ?? '').toLowerCase(), port };
}

function requireAcme(email: string, publicUrl: string): void {
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/.test(email))
    throw new ServiceError(
      'usage',
      `Cannot get certificates with "${email.slice(0, 100)}": it is no email address`,
      {
        hint: 'Give --acme-email the address that the certificate authority may write to.',
      },
    );
  if (canGetCertificates(publicUrl)) return;
  throw new ServiceError(
    'usage',
    `Cannot get certificates for ${publicUrl.slice(0, 100)}: shares are not at https, port 443 and a public name`,
    {
      hint: 'Set --public-url to a URL such as https://*.share.example.com, whose hosts all resolve to this machine.',
    },
  );
}

function publicUrlFault(text: string, found: string): ServiceError {
  return new ServiceError('usage', `Cannot publish at "${text.slice(0, 100)}": ${found}`, {
    hint: 'Set --public-url to a URL such as https://*.share.example.com, whose hosts all resolve to this machine.',
  });
}

function refuseToRead(): never {
  throw new Error('the template names no file that is read');
}

function templateText(values: TemplateValues, base: PublicBase): string {
  const { signingKey, encryptionKey, proxySecret, acmeEmail } = values;
  const { domain } = base;
  // Plain on loopback until certificates are named; a machine of one's own is asked at the port that is
  // written.
  const local = isLoopbackName(domain);
  const own = acmeEmail !== null;
  const bind = own ? '0.0.0.0:443' : `127.0.0.1:${local ? base.port : PROXIED_PORT}`;
  const endpoint = hostOrigin(`auth.${domain}`, base);
  return `# Doorward's configuration. Relative paths start at this file's folder. Check it with: doorward config check
# This file contains keys. Keep it readable only by its owner.

${own ? acmeText(acmeEmail, domain) : tlsText(domain)}
gateway:
  # The public listener for shares. A share "demo" answers at ${hostOrigin(`demo.${domain}`, base)}
  bind_address: ${bind}
  public_url: "${hostOrigin(`*.${domain}`, base)}"
  # Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses and ranges.
  trusted_proxies: [${local || own ? '' : '127.0.0.1, "::1"'}]
  # Private addresses that shares can reach without a tunnel, such as 127.0.0.1:3000, localhost:5173, 10.0.0.0/8.
  direct_targets: []

oauth:
  # The same address as the gateway: one port serves both, by host.
  bind_address: ${bind}
  # Providers redirect people here. Register ${endpoint}/<name>/auth/callback with each provider.
  endpoint_url: ${endpoint}
  cookie_name: svc-auth-session
  cookie_domain: ${domain}
  # The maximum duration of a session.
  session_lifetime: 24h
  # The maximum time for a login.
  intermediate_lifetime: 10m
  # Generated for this file. Each can be in a separate file instead: signing_key_file, encryption_key_file.
  signing_key: "${signingKey}"
  encryption_key: "${encryptionKey}"
  # Hosts that a logout can redirect to.
  logout_redirect_hosts:
    - "*.${domain}"
  providers:
    # PLACEHOLDER: put your provider's issuer, client id and client secret here. The name is part of its URLs.
    - name: sso
      type: oidc
      issuer: https://id.example.com
      client_id: replace-me
      client_secret: replace-me # or client_secret_file: sso.secret
      scopes: [openid, email, profile]
      supports_pkce: true
      # Refuses people whose email address is not verified at the provider.
      require_verified_email: true
    # - name: google
    #   type: google
    #   client_id: …apps.googleusercontent.com
    #   client_secret_file: google.secret
    # - name: github
    #   type: github
    #   client_id: …
    #   client_secret_file: github.secret

control:
${own ? controlHereText(domain, base) : controlText(domain, base)}
store:
  url: sqlite:data/doorward.db
  # Encrypts the secrets in the database. Keep a copy apart from backups, which need it to be restored.
  master_key_file: master.key

# For apps behind a proxy of your own, which asks Doorward about each request: what it sends as svc-auth-secret.
# See docs/how-to/forward-auth.md
forward_auth:
  secret: "${proxySecret}"

# /metrics, /healthz and /readyz.
metrics:
  bind_address: 127.0.0.1:9464

# brand:
#   name: Example
#   logo_file: logo.svg
#   contact: help@example.com
`;
}

function tlsText(domain: string): string {
  return `# Certificates of the public hosts (*.${domain}), selected by the requested name. Without them, listeners
# have no TLS, and a proxy in front (nginx, Caddy, a load balancer) must terminate it.
# With them, let gateway and oauth listen on 0.0.0.0:443.
# tls:
#   - certificate_file: tls/fullchain.pem
#     key_file: tls/privkey.pem
# Or have Doorward get them: doorward init --acme-email
`;
}

function acmeText(email: string, domain: string): string {
  return `# Certificates of the public hosts come from Let's Encrypt and are renewed automatically. Ports 80 and 443 of
# this machine must be reachable from the internet, at every name below ${domain}.
acme:
  email: ${JSON.stringify(email)}
  # You agree to the terms of service: https://letsencrypt.org/repository/
  agree_to_terms: true
  http_bind_address: 0.0.0.0:80
  # One wildcard certificate for all shares, where Doorward may change DNS records; else each share gets its own
  # certificate when it is first visited. See docs/how-to/public-certificates.md
  # dns:
  #   provider: cloudflare
  #   zone: ${domain}
  #   api_token_file: cloudflare.token
`;
}

function controlText(domain: string, base: PublicBase): string {
  return `  # The control API and the console. Only reachable from this machine by default. With the public_url
  # ${hostOrigin(`control.${domain}`, base)} it also answers at the gateway's address.
  bind_address: 127.0.0.1:8282
  public_url: http://127.0.0.1:8282
`;
}

function controlHereText(domain: string, base: PublicBase): string {
  return `  # The control API and the console, at the gateway's address; for programs on this machine in plain, too.
  bind_address: 127.0.0.1:8282
  tls: off
  public_url: ${hostOrigin(`control.${domain}`, base)}
`;
}

/** Above 1023, so that no privilege is needed behind a proxy. */
const PROXIED_PORT = 8080;
