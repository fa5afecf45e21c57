import type { Operation } from '../description/document.ts';
import type { Case } from './case.ts';
import { withId } from './read-cases.ts';

/** A call of an operation with a valid key, without parameters; of an item, the first listed. */
export function plainCase(operation: Operation, name: string): Case {
  return {
    id: `${operation.id}/${name}`,
    operation,
    method: operation.method,
    path: operation.resource
      ? withId(operation, `{{id.${operation.resource}.first|1}}`)
      : operation.path,
    credential: 'valid',
    purpose: { kind: 'call' },
    priority: 2,
    writes: false,
  };
}
