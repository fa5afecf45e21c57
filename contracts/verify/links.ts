import { rfcUrl } from '../../common/look/source-links.ts';
import { toSourceParts } from '../../common/look/source-parts.ts';
import type { Api } from '../../openapi/index.ts';
import type { Finding } from '../report/events.ts';

/** Gives the address of what a report names; undefined if unknown. */
export interface Links {
  clause(clause: Pick<Finding['clause'], 'id' | 'basis' | 'source'>): string | undefined;
  silence(id: string): string | undefined;
}

/**
 * Links into the reference of a document, published at `docs`; a clause of an RFC leads to the RFC.
 */
export function createLinks(document: Api, docs: string | undefined): Links {
  const clauses = new Set(document.clauses.map(({ id }) => id));
  const toUrl = (file: string, id: string) =>
    docs === undefined ? undefined : new URL(`${file}#${encodeURIComponent(id)}`, docs).href;
  return {
    clause({ id, basis, source }) {
      if (basis === 'standard') return toRfcUrl(source);
      return basis === 'stated' && clauses.has(id) ? toUrl('', id) : undefined;
    },
    silence: (id) => toUrl('silences.html', id),
  };
}

function toRfcUrl(source: string): string | undefined {
  const [first] = toSourceParts(source).flatMap(({ rfc }) => rfc ?? []);
  return first && rfcUrl(first);
}
