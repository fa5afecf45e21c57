import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { UsageError } from '../../contracts/cli/usage-error.ts';
import type { Identity } from '../http/server.ts';
import { readTextFile } from '../settings/read-file.ts';
import type { Config } from '../settings/settings.ts';
import { attempt } from './attempt.ts';

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
  const certificate = attempt(`--tls-cert ${tlsCert} contains no PEM certificate`, () => {
    return new X509Certificate(identity.cert);
  });
  if (isEncryptedKey(identity.key))
    throw new UsageError(
      `--tls-key ${tlsKey} is encrypted. Remove the passphrase: openssl pkey -in ${tlsKey} -out plain.pem`,
    );
  const key = attempt(`--tls-key ${tlsKey} contains no PEM private key`, () =>
    createPrivateKey(identity.key),
  );
  if (!certificate.checkPrivateKey(key))
    throw new UsageError(
      `--tls-key ${tlsKey} is not the key of the certificate in --tls-cert ${tlsCert}.`,
    );
  attempt(`--tls-cert ${tlsCert} cannot be used with --tls-key ${tlsKey}`, () =>
    createSecureContext(identity),
  );
  return identity;
}

/** Whether the key in a PEM text needs a passphrase. */
export function isEncryptedKey(pem: string): boolean {
  return /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
}
