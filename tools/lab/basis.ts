import type { Check } from '../../contracts/clauses/check.ts';
import type { ApiDocument } from '../../contracts/description/document.ts';
import { toSourceLinks } from '../document-interface.ts';

/** What a check rests on, for people: its sources as links, or who states it. */
export function toBasis(
  { clause: { basis, source }, isStatedByNeed }: Pick<Check, 'clause' | 'isStatedByNeed'>,
  document: Pick<ApiDocument, 'sections'>,
): string {
  if (basis === 'described')
    return 'read from the document, so it fails a run only with `--strict`';
  if (basis !== 'none') return `${basis}: ${toSourceLinks(source, document)}`;
  return isStatedByNeed
    ? 'stated by a document that describes it'
    : `stated nowhere, so it never fails a run: compares with ${source}`;
}
