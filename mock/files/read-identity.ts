import { createPrivateKey, type KeyObject, randomUUID, X509Certificate } from 'node:crypto';
import { link, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { UsageError } from '../../common/cli/usage-error.ts';
import { loadTls } from '../../common/node-http.ts';
import { toShellWord } from '../curl/shell.ts';
import { AuthorityError, type IssuedIdentity, makeAuthority } from '../domains/authority.ts';
import type { Identity } from '../http/server.ts';
import { readTextFile, toReadError } from '../settings/read-file.ts';
import type { Config } from '../settings/settings.ts';

/**
 * Reads certificate and key from PEM files, if there are any, and holds them against each other.
 * Throws {@link UsageError}.
 */
export function readIdentity({
  tlsCert,
  tlsKey,
}: Pick<Config, 'tlsCert' | 'tlsKey'>): Identity | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined)
    throw new UsageError('--tls-key needs --tls-cert FILE too, with the certificate of the key.');
  if (tlsKey === undefined)
    throw new UsageError('--tls-cert needs --tls-key FILE too, with the key of the certificate.');
  const identity = {
    cert: readTextFile(tlsCert, '--tls-cert'),
    key: readTextFile(tlsKey, '--tls-key'),
  };
  const [certPlace, keyPlace] = [`--tls-cert ${tlsCert}`, `--tls-key ${tlsKey}`];
  parsePair(identity, {
    certPlace,
    keyPlace,
    encrypted: `is encrypted. Remove the passphrase: openssl pkey -in ${tlsKey} -out plain.pem`,
    mismatch: `is not the key of the certificate in ${certPlace}.`,
  });
  attempt(`${certPlace} cannot be used with ${keyPlace}`, () => {
    loadTls().createSecureContext(identity);
  });
  return identity;
}

export type AuthorityOptions = {
  /** How messages name the file. */
  place?: string;
  /** The names that a stored authority may certify. A new authority replaces it after a year. */
  names?: readonly string[];
  warn?: (message: string) => void;
};

/**
 * Reads the certificate and the key of an authority from a PEM file. Makes both, and the file, where
 * there is none. Throws {@link UsageError}.
 */
export async function readDomainCa(
  { domainCa: file }: Pick<Config, 'domainCa'>,
  { place = `--domain-ca ${file}`, names, warn = () => {} }: AuthorityOptions = {},
): Promise<IssuedIdentity | undefined> {
  if (file === undefined) return undefined;
  const text = (await readIfThere(file, place)) ?? (await create(file, place, names));
  const { certificate, key } = parsePair(
    { cert: text, key: text },
    {
      certPlace: place,
      keyPlace: place,
      encrypted: `has an encrypted key. Write certificate and key without a passphrase: (openssl x509 -in ${file}; openssl pkey -in ${file}) > plain.pem`,
      mismatch: 'has a key that is not the one of its certificate.',
    },
  );
  if (!certificate.ca)
    throw new UsageError(`${place} has a certificate that may not issue others (CA:TRUE).`);
  const { validFrom, validTo } = certificate;
  const left = Date.parse(validTo) - Date.now();
  if (names && (left < 0 || left > maxValidity)) {
    await rm(file, { force: true });
    return readDomainCa({ domainCa: file }, { place, names, warn });
  }
  if (Date.now() < Date.parse(validFrom) || left < 0)
    throw new UsageError(
      `${place} has a certificate that is valid from ${validFrom} to ${validTo}. Remove the file, and a new one is made.`,
    );
  if (key.asymmetricKeyType !== 'rsa')
    throw new UsageError(`${place} must have an RSA key, but has one of ${key.asymmetricKeyType}.`);
  if (process.platform !== 'win32' && ((await stat(file)).mode & 0o044) !== 0)
    warn(
      `${place} holds a key that others can read. Whoever trusts it trusts them. Run: chmod 600 ${toShellWord(file)}`,
    );
  return {
    cert: certificate.toString(),
    key: key.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}

/** The longest that an authority kept for a user is valid. */
const maxValidity = 366 * 86_400_000;

/** How messages name the two, and what they say of a key that does not do. */
type PairWords = { certPlace: string; keyPlace: string; encrypted: string; mismatch: string };

function parsePair(
  { cert, key: pem }: { cert: string; key: string },
  { certPlace, keyPlace, encrypted, mismatch }: PairWords,
): { certificate: X509Certificate; key: KeyObject } {
  const certificate = attempt(`${certPlace} contains no PEM certificate`, () => {
    return new X509Certificate(cert);
  });
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem))
    throw new UsageError(`${keyPlace} ${encrypted}`);
  const key = attempt(`${keyPlace} contains no PEM private key`, () => createPrivateKey(pem));
  if (!certificate.checkPrivateKey(key)) throw new UsageError(`${keyPlace} ${mismatch}`);
  return { certificate, key };
}

/**
 * Runs a read; throws a {@link UsageError} with the problem and the reason of OpenSSL if the read
 * throws.
 */
function attempt<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = (error as Error).message.replace(/^error:[0-9A-F]+:/, '');
    throw new UsageError(`${problem} (${reason}).`);
  }
}

async function readIfThere(file: string, place: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw toReadError(error as NodeJS.ErrnoException, place);
  }
}

/** Creates the file, unless another twin has created it meanwhile, and returns its text. */
async function create(file: string, place: string, names?: readonly string[]): Promise<string> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    const { cert, key } = await makeAuthority(names);
    await writeFile(part, `${cert}${key}`, { mode: 0o600, flag: 'wx' });
    // Whoever links second finds the whole file of the first.
    await link(part, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof AuthorityError) throw new UsageError(error.message);
    throw new UsageError(`${place} cannot be made: ${(error as Error).message}.`);
  } finally {
    await unlink(part).catch(() => undefined);
  }
}
