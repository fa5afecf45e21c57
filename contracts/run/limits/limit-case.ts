import type { Api, Operation } from '../../../openapi/index.ts';
import type { Case } from '../../cases/case.ts';
import { plainCase } from '../../cases/read-cases.ts';
import type { Session } from '../session.ts';

/**
 * Chooses an operation that may be called often because it changes nothing: a list, another one
 * without path parameters, or a read of a known item.
 */
export function safeOperation(
  { choice, values }: Session,
  { operations }: Api,
): Operation | undefined {
  const safe = operations.filter((one) => one.method === 'GET' && choice.isChosen(one));
  const plain = safe.filter(({ path }) => !path.includes('{'));
  return (
    plain.find(({ kind }) => kind === 'list') ??
    plain[0] ??
    safe.find((one) => one.kind === 'read' && values.get(`id.${one.resource}.first`) !== undefined)
  );
}

/** A call that is made only to try the limit. */
export function limitCase(operation: Operation, name: string, purpose: Case['purpose']): Case {
  return { ...plainCase(operation, name), purpose, priority: 1 };
}
