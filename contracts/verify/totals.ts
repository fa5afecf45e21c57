import type { Api } from '../../openapi/index.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  type Finding,
  type Report,
  verdicts,
} from '../report/events.ts';
import type { Target } from '../transcript/exchange.ts';

/** A target, and how often an operation was called on it. */
export type CalledTarget = { target: Target; callsOf: (operation: string) => number };

/** How often each operation was called on each target, and how many findings show it. */
export function toOperations(
  { operations }: Api,
  targets: readonly CalledTarget[],
  findings: readonly Finding[],
): Report['operations'] {
  return operations.map(({ id, method, path }) => ({
    id,
    method,
    path,
    results: Object.fromEntries(
      targets.map(({ target, callsOf }) => [
        target.name,
        {
          calls: callsOf(id),
          findings: findings.filter(
            ({ target: name, operations: shownBy, verdict, clause }) =>
              name === target.name &&
              (verdict === 'drift' || (verdict === 'mock' && clause.basis === 'stated')) &&
              shownBy.some((operation) => operation.id === id),
          ).length,
        },
      ]),
    ),
  }));
}

/** The clauses of each target by what became of them, and its findings by how they weigh. */
export function toTotals(
  targets: readonly string[],
  clauses: readonly ClauseResult[],
  findings: readonly Finding[],
): Report['totals'] {
  return Object.fromEntries(
    targets.map((name) => [
      name,
      {
        clauses: countBy(
          clauseVerdicts,
          clauses.map(({ results }) => results[name]?.verdict),
        ),
        findings: countBy(
          verdicts,
          findings.filter(({ target }) => target === name).map(({ verdict }) => verdict),
        ),
      },
    ]),
  );
}

/** How often each name stands among values. */
export function countBy<Name extends string>(
  names: readonly Name[],
  values: readonly (Name | undefined)[],
): Record<Name, number> {
  return Object.fromEntries(
    names.map((name) => [name, values.filter((value) => value === name).length]),
  ) as Record<Name, number>;
}
