import type { Case } from '../../cases/case.ts';
import type { ApiDocument, Operation } from '../../description/document.ts';

/** An operation that may be called often, as it changes nothing: a list where there is one. */
export function safeOperation({ operations }: ApiDocument): Operation | undefined {
  const safe = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  return safe.find(({ kind }) => kind === 'list') ?? safe[0];
}

/** A call that is made for the sake of the limit. */
export function limitCase(operation: Operation, name: string, purpose: Case['purpose']): Case {
  const { id, method, path } = operation;
  return {
    id: `${id}/${name}`,
    operation,
    method,
    path,
    credential: 'valid',
    purpose,
    priority: 1,
    writes: false,
  };
}
