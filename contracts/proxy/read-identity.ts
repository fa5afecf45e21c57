import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../cli/usage-error.ts';

type Files = { tlsCert?: string; tlsKey?: string };

/**
 * The certificate and key that the proxy shows its clients, as PEM; undefined without them. Throws
 * {@link UsageError}.
 */
export function readIdentity({
  tlsCert,
  tlsKey,
}: Files): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined) throw new UsageError('--tls-key needs --tls-cert too.');
  if (tlsKey === undefined) throw new UsageError('--tls-cert needs --tls-key too.');
  const cert = read(tlsCert, '--tls-cert');
  const key = read(tlsKey, '--tls-key');
  const certificate = attempt(
    () => new X509Certificate(cert),
    `--tls-cert ${tlsCert} contains no PEM certificate`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    `--tls-key ${tlsKey} contains no PEM private key without a passphrase`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new UsageError(
      `--tls-key ${tlsKey} is not the key of the certificate in --tls-cert ${tlsCert}.`,
    );
  return { cert, key };
}

function read(file: string, option: string): string {
  return attempt(() => readFileSync(file, 'utf8'), `${option} ${file} cannot be read`);
}

function attempt<T>(work: () => T, failure: string): T {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${failure} (${code ?? message}).`);
  }
}
