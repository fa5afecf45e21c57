import { createHash } from 'node:crypto';
import { oncePer } from '../../common/once-per.ts';
import type { Api } from '../../openapi/index.ts';
import { keyNamesOf } from '../../openapi/model/key-places.ts';

/** The parts of a request that hold credentials. */
type Source = { headers: Readonly<Record<string, string | string[] | undefined>>; url: string };

type Call = { source: Omit<Source, 'url'>; url: string };

/** Reads the credentials of requests, without their schemes. */
export const secretsReaderOf = oncePer((document: Api) => {
  const { headers, parameters } = keyNamesOf(document.operations);
  return ({ headers: sent, url }: Source): string[] => {
    const searchParams = new URLSearchParams(url.split('?', 2)[1]);
    const values = ['authorization', ...headers].map((name) => sent[name.toLowerCase()]);
    const texts = [...values, ...parameters.map((name) => searchParams.get(name))];
    return texts.flatMap((one) => (typeof one === 'string' ? one.replace(/^\S+ +/, '') : []));
  };
});

/** Tells who calls: by a text for each caller, from which no credential can be read. */
export function createToCaller(document: Api): (call: Call) => string {
  const secretsOf = secretsReaderOf(document);
  return ({ source: { headers }, url }) =>
    createHash('sha256').update(secretsOf({ headers, url }).join(' ')).digest('hex');
}
