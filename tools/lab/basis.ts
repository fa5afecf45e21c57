import type { Check } from '../../contracts/clauses/check.ts';
import type { Api } from '../../openapi/index.ts';
import { toSourceLinks } from '../document-interface.ts';

/** Returns the basis of a check for people: its sources as links, or who states the clause. */
export function toBasis(
  { clause: { basis, source }, isStatedByNeed }: Pick<Check, 'clause' | 'isStatedByNeed'>,
  document: Pick<Api, 'sections'>,
): string {
  if (basis !== 'described') return `${basis}: ${toSourceLinks(source, document)}`;
  return isStatedByNeed
    ? 'stated by a document that describes it'
    : 'read from the document, so it fails a run only with `--strict`';
}
