import type { X509Certificate } from 'node:crypto';
import { getDomain } from 'tldts';

/**
 * The names by which well-known authorities call themselves in CAA records, as they document them,
 * by the organization in their certificates.
 */
const caaNames: readonly [organization: RegExp, names: readonly string[]][] = [
  [/^(let's encrypt|isrg|internet security research group)$/i, ['letsencrypt.org']],
  [/^google trust services/i, ['pki.goog', 'google.com']],
  [/^amazon$/i, ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']],
  [
    /^digicert|^thawte|^geotrust|^rapidssl/i,
    [
      'digicert.com',
      'digicert.ne.jp',
      'symantec.com',
      'thawte.com',
      'geotrust.com',
      'rapidssl.com',
    ],
  ],
  [
    /^sectigo|^comodo|^zerossl|^the usertrust/i,
    ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  ],
  [/^globalsign/i, ['globalsign.com']],
  [/^ssl corp/i, ['ssl.com']],
];

/** The authority of a certificate: what people call it, and its names in CAA records. */
export type Authority = {
  title: string;
  caaNames: readonly string[];
  /** Whether these are all names that it has; a name that may be its own proves nothing else. */
  isKnown: boolean;
};

/** Which authority issued a certificate. */
export function authorityOf({ issuer, infoAccess }: X509Certificate): Authority {
  const organization = partOf(issuer, 'O');
  const title = organization ?? partOf(issuer, 'CN') ?? 'an authority without a name';
  const [, names] =
    caaNames.find(([pattern]) => organization !== undefined && pattern.test(organization)) ?? [];
  // A certificate says where its issuer's is, which most authorities have under their own name.
  const published = [...(infoAccess ?? '').matchAll(/URI:(\S+)/g)].flatMap(
    ([, url = '']) => getDomain(url) ?? [],
  );
  return {
    title,
    caaNames: [...new Set([...(names ?? []), ...published])],
    isKnown: names !== undefined,
  };
}

function partOf(distinguishedName: string, key: string): string | undefined {
  const line = distinguishedName.split('\n').find((one) => one.startsWith(`${key}=`));
  return line?.slice(key.length + 1);
}
