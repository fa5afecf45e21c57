import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { toShellWord } from './shell.ts';

/** The options, as words for a shell, by which `curl` trusts the twin at a URL. */
export type CurlTrust = (url: string) => string[];

/**
 * The options by which `curl` trusts a certificate (PEM text, from a file) at a URL: the file where
 * it holds one that signed itself, and none where another signed it; no check at all where that
 * would fail, as the certificate is for another name or not for this time.
 */
export function toTrustOptions(
  url: string,
  { certificate, file }: { certificate: string; file: string },
): string[] {
  const chain =
    certificate.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const [own, ...issuers] = chain.map((pem) => new X509Certificate(pem));
  const { protocol, hostname } = new URL(url);
  if (!own || protocol !== 'https:') return [];
  const name = hostname.replace(/^\[(.+)\]$/, '$1');
  const isForName = isIP(name) ? own.checkIP(name) : own.checkHost(name);
  const now = Date.now();
  if (!isForName || Date.parse(own.validTo) < now || Date.parse(own.validFrom) > now) return ['-k'];
  return [own, ...issuers].some((certificate) => certificate.checkIssued(certificate))
    ? ['--cacert', toShellWord(resolve(file))]
    : [];
}
