import type { X509Certificate } from 'node:crypto';
import { getDomain } from 'tldts';

/**
 * The names by which authorities call themselves in CAA records, by the organization in their
 * certificates, as they publish them in the Common CA Database.
 */
const caaNames: readonly [organization: RegExp, names: readonly string[]][] = [
  [/^let's encrypt$/i, ['letsencrypt.org']],
  [/^(isrg|internet security research group)$/i, ['letsencrypt.org']],
  [/^google trust services/i, ['pki.goog', 'google.com']],
  [/^amazon/i, ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']],
  [
    /^digicert|^thawte|^geotrust|^rapidssl|^quovadis/i,
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
    /^sectigo|^comodo|^zerossl|^usertrust|^the usertrust/i,
    ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  ],
  [/^globalsign/i, ['globalsign.com']],
  [/^godaddy|^starfield/i, ['godaddy.com', 'starfieldtech.com']],
  [/^ssl corp|^ssl\.com/i, ['ssl.com']],
  [/^entrust/i, ['entrust.net', 'affirmtrust.com']],
  [/^buypass/i, ['buypass.com', 'buypass.no']],
  [/^actalis/i, ['actalis.it']],
  [/^asseco|^unizeto/i, ['certum.pl', 'certum.eu']],
  [/^microsoft/i, ['microsoft.com']],
];

/** The authority of a certificate: what people call it, and its names in CAA records, if known. */
export type Authority = { title: string; caaNames: readonly string[] };

/** Which authority issued a certificate. */
export function authorityOf({ issuer, infoAccess }: X509Certificate): Authority {
  const organization = partOf(issuer, 'O');
  const title = organization ?? partOf(issuer, 'CN') ?? 'an authority without a name';
  const [, names = []] =
    caaNames.find(([pattern]) => organization !== undefined && pattern.test(organization)) ?? [];
  // A certificate says where its issuer's is, which most authorities have under their own name.
  const published = [...(infoAccess ?? '').matchAll(/URI:(\S+)/g)].flatMap(
    ([, url = '']) => getDomain(url) ?? [],
  );
  return { title, caaNames: [...new Set([...names, ...published])] };
}

function partOf(distinguishedName: string, key: string): string | undefined {
  const line = distinguishedName.split('\n').find((one) => one.startsWith(`${key}=`));
  return line?.slice(key.length + 1);
}
