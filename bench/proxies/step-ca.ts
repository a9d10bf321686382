// step-ca as a peer that gives certificates out for one-time tokens: a root, an intermediate, one provisioner
// whose key this process has, and its own database. It is left out where it is not on PATH.

import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request as httpsRequest, Agent } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { openssl } from '../../test/support/openssl.ts';
import { found } from './found.ts';
import type { Peer } from './peer.ts';
import { runPeer } from './run-peer.ts';

export type StepCa = Peer & {
  /** As `step ca token` makes one: good for one certificate of this name. */
  readonly token: (commonName: string) => Promise<string>;
  /** Throws when no certificate comes. */
  readonly sign: (token: string, csr: string) => Promise<void>;
};

/** Null when it is not there, or does not start. */
export async function startStepCa(): Promise<StepCa | null> {
  const binary = found('step-ca');
  if (binary === null) return null;
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' };
  let root = '';
  const said = spawnSync(binary, ['version'], { encoding: 'utf8' }).stdout;
  try {
    const peer = await runPeer({
      name: 'step-ca',
      version: /Smallstep CA\/\S+/.exec(said)?.[0] ?? 'step-ca',
      binary,
      talkative: true,
      prepare: async (folder, port) => {
        await writeAuthority(folder);
        root = await readFile(join(folder, 'root.pem'), 'utf8');
        const file = join(folder, 'ca.json');
        await writeFile(file, JSON.stringify(configOf(folder, port, key)));
        return [file];
      },
    });
    return withCalls(peer, { root, privateKey });
  } catch (error) {
    process.stderr.write(`bench: goes on without step-ca: ${String(error)}\n`);
    return null;
  }
}

function withCalls(
  peer: Peer,
  { root, privateKey }: { readonly root: string; readonly privateKey: CryptoKey },
): StepCa {
  const url = `https://localhost:${peer.port}/1.0/sign`;
  const sha = createHash('sha256').update(new X509Certificate(root).raw).digest('hex');
  const agent = new Agent({ keepAlive: true });
  return {
    ...peer,
    token: (commonName) =>
      new SignJWT({ sha, sans: [commonName] })
        .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'JWT' })
        .setIssuer('bench')
        .setSubject(commonName)
        .setAudience(url)
        .setJti(randomUUID())
        .setIssuedAt()
        .setNotBefore('0s')
        .setExpirationTime('1h')
        .sign(privateKey),
    sign: async (ott, csr) => {
      const headers = { 'content-type': 'application/json' };
      const request = httpsRequest(url, { method: 'POST', ca: root, agent, headers });
      request.end(JSON.stringify({ csr, ott }));
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode !== 201)
        throw new Error(`Cannot get a certificate of step-ca: ${answer.statusCode}`);
    },
    close: async () => {
      agent.destroy();
      await peer.close();
    },
  };
}

/** A root and an intermediate, of P-384 as ours. */
async function writeAuthority(folder: string): Promise<void> {
  await mkdir(join(folder, 'db'), { recursive: true });
  const at = (name: string) => join(folder, name);
  for (const name of ['root', 'intermediate'])
    openssl([
      'genpkey',
      '-algorithm',
      'EC',
      '-pkeyopt',
      'ec_paramgen_curve:P-384',
      '-out',
      at(`${name}.key`),
    ]);
  const extensions = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=keyCertSign,cRLSign',
  ];
  openssl([
    'req',
    '-x509',
    '-key',
    at('root.key'),
    '-subj',
    '/CN=Root',
    '-out',
    at('root.pem'),
    ...extensions,
  ]);
  openssl([
    'req',
    '-new',
    '-key',
    at('intermediate.key'),
    '-subj',
    '/CN=Intermediate',
    '-out',
    at('intermediate.csr'),
  ]);
  await writeFile(
    at('ext'),
    'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\n',
  );
  const signing = ['-CA', at('root.pem'), '-CAkey', at('root.key'), '-CAcreateserial', '-extfile', at('ext')];
  openssl(['x509', '-req', '-in', at('intermediate.csr'), '-out', at('intermediate.pem'), ...signing]);
}

function configOf(folder: string, port: number, key: object): object {
  return {
    root: join(folder, 'root.pem'),
    crt: join(folder, 'intermediate.pem'),
    key: join(folder, 'intermediate.key'),
    address: `127.0.0.1:${port}`,
    dnsNames: ['localhost'],
    db: { type: 'badgerv2', dataSource: join(folder, 'db') },
    authority: { provisioners: [{ type: 'JWK', name: 'bench', key }] },
    logger: { format: 'json' },
  };
}
