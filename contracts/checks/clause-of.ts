import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { builtInDocument } from '../description/document.ts';
import type { RawDocument } from '../description/schema.ts';
import { toClauses } from '../description/sections.ts';
import type { Clause } from './check.ts';

const clauses = toClauses(load(readFileSync(builtInDocument, 'utf8')) as RawDocument);

/** The clause of a check as the Pet Store Service's own document words it. */
export function clauseOf(id: string): Clause {
  const clause = clauses.find((one) => one.id === id);
  if (!clause) throw new Error(`There is no clause "${id}" in ${builtInDocument}.`);
  return { basis: 'stated', source: clause.source, text: clause.text };
}
