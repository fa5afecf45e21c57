import { toVisible } from '../../common/look/visible.ts';
import type { Check } from '../clauses/check.ts';

/** The ledger of clauses, a line each: the check, what it rests on, and the clause. */
export function toClauseList(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return `${checks.map(({ id, clause }) => `${id.padEnd(width)}  ${clause.basis.padEnd(9)}  ${toVisible(clause.source)}\n${' '.repeat(width + 2)}${toVisible(clause.text)}`).join('\n')}\n`;
}
