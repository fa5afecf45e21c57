import { operationsWithoutCases } from '../cases/call-cases.ts';
import { type ApiDocument, collectionsOf, type Operation } from '../description/document.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  type Finding,
  type Report,
  verdicts,
} from '../report/events.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** How often each operation was called on each target, and how many findings show it. */
export function toOperations(
  { operations }: ApiDocument,
  transcripts: readonly Transcript[],
  findings: readonly Finding[],
): Report['operations'] {
  return operations.map(({ id, method, path }) => ({
    id,
    method,
    path,
    results: Object.fromEntries(
      transcripts.map(({ target, exchanges }) => [
        target.name,
        {
          calls: exchanges.filter(({ case: { operation } }) => operation?.id === id).length,
          findings: findings.filter(
            ({ target: name, operations: shownBy, verdict }) =>
              name === target.name &&
              verdict === 'drift' &&
              shownBy.some((operation) => operation.id === id),
          ).length,
        },
      ]),
    ),
  }));
}

/** The operations that have no cases, or none that could be made, and so no calls. */
export function toNotCalled(
  document: ApiDocument,
  options: { isFree: boolean },
  transcripts: readonly Transcript[],
): Report['notCalled'] {
  const withoutCases = operationsWithoutCases(document, options);
  const known = new Set(withoutCases.map(({ operation }) => operation.id));
  const withoutItems = operationsWithoutItems(document, transcripts).filter(
    ({ operation }) => !known.has(operation.id),
  );
  return [...withoutCases, ...withoutItems].map(({ operation: { id, method, path }, reason }) => ({
    operation: id,
    method,
    path,
    reason,
  }));
}

/** Changes that nothing was tried on, as every create of an item for them was refused. */
function operationsWithoutItems(
  document: ApiDocument,
  transcripts: readonly Transcript[],
): ReturnType<typeof operationsWithoutCases> {
  const calls = transcripts.flatMap(({ exchanges }) => exchanges);
  const callsOf = (operation: Operation) =>
    calls.filter(({ case: { operation: called } }) => called?.id === operation.id);
  return collectionsOf(document).flatMap(({ operations }) => {
    const { create, replace, update, delete: remove } = operations;
    const creates = create ? callsOf(create) : [];
    const valid = creates.filter(({ case: { purpose } }) => purpose.kind === 'create');
    const statuses = new Set(valid.flatMap(({ response }) => response?.status ?? []));
    if (!create || statuses.size === 0 || [...statuses].some((one) => one < 300)) return [];
    const reason = `${create.id} answered ${[...statuses].join(', ')}, so there was no item to try it on`;
    return [replace, update, remove].flatMap((operation) =>
      operation && callsOf(operation).length === 0 ? [{ operation, reason }] : [],
    );
  });
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
