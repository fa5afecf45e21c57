import type { Api } from '../../openapi/index.ts';
import type { Check } from './check.ts';
import { findNeed } from './needs.ts';

/**
 * The checks that apply to a document, each with its clause as that document states it, and why the
 * others do not.
 */
export type Applicable = { checks: Check[]; notApplicable: { id: string; reason: string }[] };

/**
 * Chooses the checks that apply to a document. A document that words a clause (`x-clauses`) states
 * it; in any other, the source of a clause is where the document states what the check needs, as a
 * JSON pointer.
 */
export function toApplicable(document: Api, checks: readonly Check[]): Applicable {
  const worded = new Map(document.clauses.map((clause) => [clause.id, clause]));
  const applicable: Applicable = { checks: [], notApplicable: [] };
  for (const given of checks) {
    const own = worded.get(given.id);
    const check: Check = own ? given : { ...given, ...given.byItself };
    const { id, clause, needs, general } = check;
    const need: ReturnType<typeof findNeed> =
      own && needs === 'the clause itself' ? { pointer: '' } : findNeed(document, needs);
    const stated = check.findStated?.(document);
    const isStated =
      [own, stated].some((one) => one !== undefined) ||
      clause.basis === 'stated' ||
      check.isStatedByNeed;
    if ('absent' in need) {
      if (need.absent) applicable.notApplicable.push({ id, reason: need.absent });
    } else if (!isStated) applicable.checks.push(given);
    else {
      const { source, text } = own ?? {
        source: stated ?? need.pointer,
        text: general ?? clause.text,
      };
      applicable.checks.push({ ...check, clause: { basis: 'stated', source, text } });
    }
  }
  return applicable;
}
