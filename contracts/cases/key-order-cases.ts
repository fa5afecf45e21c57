import { type ApiDocument, boundedPageSize, type Resource } from '../description/document.ts';
import { keyPlacesOf } from '../description/key-places.ts';
import type { Case } from './case.ts';
import { createCase } from './create-cases.ts';
import { listCase } from './list-cases.ts';
import { readCase } from './read-cases.ts';

/**
 * Calls without a key that have another mistake too: which of the two is reported first is not
 * stated.
 */
export function keyOrderCases(document: ApiDocument, resource: Resource): Case[] {
  const { list, create, read } = resource.operations;
  const size = boundedPageSize(resource);
  const without = (one: Case, probe: string): Case => ({
    ...one,
    id: `${one.operation?.id}/no key and ${probe}`,
    credential: 'none',
    purpose: { kind: 'silence', silence: 'credentials-first', probe: `without a key, ${probe}` },
    priority: 2,
  });
  const purpose: Case['purpose'] = { kind: 'call' };
  const isSecured = ({ operation }: Case) =>
    operation !== undefined && keyPlacesOf(operation).length > 0;
  return [
    ...(create ? [without(createCase(create, '', '{}', purpose, 2, ''), 'an invalid body')] : []),
    ...(read
      ? [without(readCase(read, `{{unknown.${resource.name}.far}}`, purpose, 2), 'an unknown id')]
      : []),
    ...(list && size
      ? [
          without(
            listCase({ document, resource }, list, { limit: size.min - 1 }),
            'an invalid limit',
          ),
        ]
      : []),
  ].filter(isSecured);
}
