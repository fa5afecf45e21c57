import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type Forge from 'node-forge';
import type { pki } from 'node-forge';
import { once } from '../../common/once-per.ts';
import { DomainError } from './domains-state.ts';

/** A certificate with that of its authority, and its key, as PEM text. */
export type IssuedIdentity = { cert: string; key: string };

/** The package that makes certificates is not installed; the message says what to do. */
export class AuthorityError extends DomainError {}

/** A certificate authority for tests, which nobody trusts by default. */
export interface Authority {
  /** Its certificate, as PEM text. */
  certificate(): Promise<string>;
  /**
   * The identity of a host name, with other names and addresses, issued at its first use by the clock
   * of the system.
   */
  issue(name: string, others?: readonly string[]): Promise<IssuedIdentity>;
}

type MadeAuthority = {
  forge: Pick<typeof Forge, 'asn1' | 'md' | 'pki' | 'util'>;
  certificate: pki.Certificate;
  pem: string;
  key: pki.rsa.PrivateKey;
  /** The key of all names: what is tested is not its secrecy. */
  leaf: { pem: string; publicKey: pki.rsa.PublicKey };
};

const day = 86_400_000;

/** The validity of certificates. */
const validity = 365 * day;

/** The maximum number of issued identities that are retained. */
const maxIssued = 200;

const subject = [{ name: 'commonName', value: 'petstore-twin test authority' }];

/** An authority that is given, or one of its own, whose keys are generated at first need. */
export function createAuthority(given?: IssuedIdentity): Authority {
  const issued = new Map<string, IssuedIdentity>();
  const made = once(() => make(given));
  return {
    certificate: async () => given?.cert ?? (await made()).pem,
    async issue(name, others = []) {
      const { forge, certificate, pem, key, leaf } = await made();
      const known = issued.get(name);
      if (known) return known;
      const own = begin(forge, leaf.publicKey);
      own.setSubject([{ name: 'commonName', value: name.slice(0, 64) }]);
      own.setIssuer(certificate.subject.attributes);
      own.setExtensions([
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: [name, ...others].map(toAltName) },
        ...keyIdentifier(forge, certificate),
      ]);
      own.sign(key, forge.md.sha256.create());
      const identity = { cert: forge.pki.certificateToPem(own) + pem, key: leaf.pem };
      if (issued.size >= maxIssued) issued.clear();
      issued.set(name, identity);
      return identity;
    },
  };
}

/** A name, or an IP address (RFC 5280 §4.2.1.6). */
function toAltName(name: string) {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}

/**
 * Makes the certificate of an authority and its key; with `names`, it may vouch for these alone.
 * Throws {@link AuthorityError}.
 */
export async function makeAuthority(names?: readonly string[]): Promise<IssuedIdentity> {
  const forge = await loadForge();
  const root = await generate();
  const certificate = begin(forge, forge.pki.publicKeyFromPem(root.publicKey));
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
    ...(names ? [toNameConstraints(forge, names)] : []),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(root.privateKey), forge.md.sha256.create());
  const pem = forge.pki.certificateToPem(certificate).replaceAll('\r', '');
  return { cert: pem, key: root.privateKey };
}

/** Permits host names with what is below them, and addresses; all of loopback (RFC 5280 §4.2.1.10). */
function toNameConstraints({ asn1, util }: MadeAuthority['forge'], names: readonly string[]) {
  const { Class, Type, create } = asn1;
  // The types of the package lack it.
  const { bytesFromIP } = util as typeof util & { bytesFromIP: (ip: string) => string };
  const subtrees = names.map((name) => {
    const family = isIP(name);
    const mask = name === '127.0.0.1' ? '\xff\0\0\0' : '\xff'.repeat(family === 4 ? 4 : 16);
    const value = family === 0 ? name : bytesFromIP(name) + mask;
    const base = create(Class.CONTEXT_SPECIFIC, family === 0 ? 2 : 7, false, value);
    return create(Class.UNIVERSAL, Type.SEQUENCE, true, [base]);
  });
  const permitted = create(Class.CONTEXT_SPECIFIC, 0, true, subtrees);
  const value = create(Class.UNIVERSAL, Type.SEQUENCE, true, [permitted]);
  return { id: '2.5.29.30', critical: true, value };
}

async function make(given: IssuedIdentity | undefined): Promise<MadeAuthority> {
  const forge = await loadForge();
  const [{ cert, key }, leaf] = await Promise.all([given ?? makeAuthority(), generate()]);
  return {
    forge,
    certificate: forge.pki.certificateFromPem(cert),
    key: forge.pki.privateKeyFromPem(key),
    pem: cert,
    leaf: { pem: leaf.privateKey, publicKey: forge.pki.publicKeyFromPem(leaf.publicKey) },
  };
}

/** Names the key of the authority as its own certificate does, which strict clients demand. */
function keyIdentifier({ util }: MadeAuthority['forge'], certificate: pki.Certificate) {
  const own = certificate.getExtension('subjectKeyIdentifier');
  const hex = (own as { subjectKeyIdentifier?: string } | null)?.subjectKeyIdentifier;
  return hex ? [{ name: 'authorityKeyIdentifier', keyIdentifier: util.hexToBytes(hex) }] : [];
}

function begin({ pki }: MadeAuthority['forge'], publicKey: pki.rsa.PublicKey) {
  const certificate = pki.createCertificate();
  certificate.publicKey = publicKey;
  // A serial number is positive, so its first bit is 0.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - day);
  certificate.validity.notAfter = new Date(Date.now() + validity);
  return certificate;
}

/** Loads the library, which is installed only where certificates are made. */
async function loadForge(): Promise<typeof Forge> {
  try {
    return (await import('node-forge')).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new AuthorityError(
      'Certificates need the package node-forge. Install it with: npm install node-forge',
    );
  }
}

/** Generates an RSA key, as PEM text. */
async function generate(): Promise<{ publicKey: string; privateKey: string }> {
  return await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}
