import type { ApiDocument } from '../description/document.ts';
import type { RawDocument } from '../description/schema.ts';
import type { Check, Clause } from './check.ts';
import { findNeed } from './needs.ts';

/**
 * The checks that apply to a document, each with its clause as that document states it, and why the
 * others do not.
 */
export type Applicable = { checks: Check[]; notApplicable: { id: string; reason: string }[] };

/** The interface whose sections the clauses name. */
const ownTitle = 'Pet Store Service';

/**
 * Chooses the checks that apply to a document. A clause keeps its § only where the document itself
 * names that section of the Pet Store Service as a source; in any other document its source is
 * where the document states it, as a JSON pointer.
 */
export function toApplicable(document: ApiDocument, checks: readonly Check[]): Applicable {
  const sections = document.title.startsWith(ownTitle)
    ? sectionsOf(document.raw)
    : new Set<string>();
  const applicable: Applicable = { checks: [], notApplicable: [] };
  for (const check of checks) {
    const { id, clause, needs, general } = check;
    const isOwn = clause.basis !== 'stated' || statesAll(sections, clause.source);
    if (isOwn && needs === 'the clause itself') {
      applicable.checks.push(check);
      continue;
    }
    const need = findNeed(document, needs);
    if ('absent' in need) {
      applicable.notApplicable.push({ id, reason: need.absent });
      continue;
    }
    const stated: Clause = {
      basis: clause.basis,
      source: need.pointer,
      text: general ?? clause.text,
    };
    applicable.checks.push(isOwn ? check : { ...check, clause: stated });
  }
  return applicable;
}

/** Whether each section of a source, or one within it, is stated; RFCs are nobody's own. */
function statesAll(sections: ReadonlySet<string>, source: string): boolean {
  const named = source.split(', ').filter((one) => one.startsWith('§'));
  return named.every((section) =>
    [...sections].some((stated) => stated === section || stated.startsWith(`${section}.`)),
  );
}

/** Every section that a node of the document names as its source. */
function sectionsOf(raw: RawDocument): Set<string> {
  const sections = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { 'x-source': source } = node as RawDocument;
    if (typeof source === 'string') for (const section of source.split(', ')) sections.add(section);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(raw);
  return sections;
}
