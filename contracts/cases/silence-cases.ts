import type { Api, Resource } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { boundedPageSize } from '../document/stated.ts';
import { planBodies, toBodyText, validFields } from './bodies.ts';
import { type Case, plainCase, readCase } from './case.ts';
import { createCase } from './create-cases.ts';
import { listCase } from './list-cases.ts';

/** One or more probes for each thing that the interface leaves open and a request can show. */
export function silenceCases(document: Api): Case[] {
  return document.resources.flatMap((resource) => [
    ...listSilences(resource),
    ...createSilences(document, resource),
    ...readSilences(resource),
    ...keyOrderCases(resource),
  ]);
}

function listSilences(resource: Resource): Case[] {
  const { list } = resource.operations;
  if (!list) return [];
  const probe = (silence: string, query: string): Case => ({
    ...plainCase(list, `?${query}`),
    path: `${list.path}?${query}`,
    purpose: { kind: 'silence', silence, probe: `?${query}` },
    priority: 2,
  });
  const size = boundedPageSize(resource);
  const limits = size ? [size.min - 1, size.max + 1, size.max * 10, -1, 'abc'] : [];
  return [
    ...limits.map((limit) => probe('limit-out-of-range', `${size?.name}=${limit}`)),
    ...listRulesOf(list).filters.map((filter) =>
      probe('unknown-status-filter', `${filter}=no-such-value`),
    ),
    probe('unknown-query-parameter', 'no-such-parameter=1'),
  ];
}

function createSilences(document: Api, resource: Resource): Case[] {
  const { create } = resource.operations;
  // Where nobody asks what is left open, nothing is added to find it out.
  if (!create || document.silences.length === 0) return [];
  const plan = planBodies(document, resource);
  const probe = (
    silence: string,
    name: string,
    fields: Record<string, unknown>,
    { headers, unused }: { headers?: Record<string, string>; unused?: string } = {},
  ): Case => {
    const marker = `${name} {{run}}`;
    const purpose: Case['purpose'] = {
      kind: 'silence',
      silence,
      probe: name,
      ...(unused !== undefined && { unused }),
    };
    const body = toBodyText(plan, validFields(plan, marker, fields));
    return { ...createCase(create, name, body, purpose, 2, marker), ...(headers && { headers }) };
  };
  const integer = plan.properties.find(({ schema }) => schema.format === 'int64');
  return [
    probe('unknown-body-field', 'unknown field', { noSuchField: 'x' }),
    ...(plan.markerProperty
      ? [probe('empty-name', `empty ${plan.markerProperty}`, { [plan.markerProperty]: '' })]
      : []),
    ...(integer
      ? [
          probe(
            'unknown-category',
            `an unused ${integer.name}`,
            { [integer.name]: 987_654_321 },
            { unused: integer.name },
          ),
          probe('integer-range', `${integer.name} beyond int64`, {
            [integer.name]: 9_223_372_036_854_775_808n,
          }),
        ]
      : []),
    probe('media-type', 'as text/plain', {}, { headers: { 'Content-Type': 'text/plain' } }),
    probe('repeated-create', 'sent once', {}),
    {
      ...probe('repeated-create', 'sent once', {}),
      id: `${create.id}/sent again`,
      purpose: { kind: 'silence', silence: 'repeated-create', probe: 'sent again' },
    },
  ];
}

function readSilences({ operations: { read }, idSchema }: Resource): Case[] {
  if (!read) return [];
  const { operation: _, ...unknownPath } = plainCase(read, 'unknown path');
  const ids = idSchema.type === 'integer' ? ['abc', '9223372036854775808'] : ['%20'];
  return [
    ...ids.map((id) =>
      readCase(read, id, { kind: 'silence', silence: 'pet-id-form', probe: id }, 2),
    ),
    {
      ...unknownPath,
      path: '/no-such-path',
      purpose: { kind: 'silence', silence: 'unknown-path', probe: 'GET /no-such-path' },
    },
  ];
}

/**
 * Calls without a key that have another mistake too: which of the two is reported first is not
 * stated.
 */
function keyOrderCases(resource: Resource): Case[] {
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
  const cases = [
    create && without(createCase(create, '', '{}', purpose, 2, ''), 'an invalid body'),
    read &&
      without(readCase(read, `{{unknown.${resource.name}.far}}`, purpose, 2), 'an unknown id'),
    list && size && without(listCase(list, { limit: size.min - 1 }), 'an invalid limit'),
  ];
  return cases.filter((one) => one !== undefined).filter(isSecured);
}
