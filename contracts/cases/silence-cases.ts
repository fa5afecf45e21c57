import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { boundedPageSize } from '../document/stated.ts';
import { planBodies, toBodyText, validFields } from './bodies.ts';
import { type Case, plainCase, readCase } from './case.ts';
import { createCase } from './create-cases.ts';
import { listCase } from './list-cases.ts';
import { protocolCases } from './protocol-cases.ts';

/** One or more probes for each thing that the interface leaves open and a request can show. */
export function silenceCases(document: Api): Case[] {
  return document.resources.flatMap((resource) => [
    ...listSilences(resource),
    ...createSilences(document, resource),
    ...readSilences(resource),
    ...keyOrderCases(document, resource),
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
    ...limits.map((limit) => probe('limit-out-of-range', `${resource.pageSize?.name}=${limit}`)),
    ...resource.filters.map((filter) => probe('unknown-status-filter', `${filter}=no-such-value`)),
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
function keyOrderCases(document: Api, resource: Resource): Case[] {
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
    list &&
      size &&
      without(listCase({ document, resource }, list, { limit: size.min - 1 }), 'an invalid limit'),
  ];
  return cases.filter((one) => one !== undefined).filter(isSecured);
}

/** How often what a body asks is asked again, and all the rest. */
const repeats = { bodies: 2, others: 1 };

/** The bodies that are tried for being too large, in bytes; each lacks a required property. */
const bodySizes = [1024, 4096, 16 * 1024, 128 * 1024, 1024 * 1024 + 1];

/** The lengths of names that are tried, beside those of a usual run. */
const nameLengths = [64, 100, 128, 200, 255];

/** Returns the cases that calibration adds to those of a run, to be sent one after another. */
export function calibrationCases(document: Api): Case[] {
  const again = silenceCases(document).filter(
    ({ purpose }) => purpose.kind === 'silence' && purpose.silence !== 'repeated-create',
  );
  const isBody = ({ operation, credential }: Case) =>
    operation?.kind === 'create' && credential === 'valid';
  const numbered = (one: Case, turn: number): Case => ({
    ...one,
    id: `${one.id} (${turn})`,
    // An item is recognized by its name, and may have to be the only one with it.
    ...(one.body !== undefined && { body: one.body.replaceAll('{{run}}', `{{run}}-${turn}`) }),
    ...(one.marker !== undefined && {
      marker: one.marker.replaceAll('{{run}}', `{{run}}-${turn}`),
    }),
  });
  const turns = (count: number) => Array.from({ length: count }, (_, index) => index + 2);
  return [
    ...turns(repeats.bodies).flatMap((turn) =>
      again.filter(isBody).map((one) => numbered(one, turn)),
    ),
    ...turns(repeats.others).flatMap((turn) =>
      again.filter((one) => !isBody(one)).map((one) => numbered(one, turn)),
    ),
    ...document.resources.flatMap((resource) => [
      ...createCalibrations(document, resource),
      ...originCases(document, resource),
      ...protocolAgain(document, resource),
    ]),
  ];
}

function silence(one: Case, id: string, probe: string): Case {
  return {
    ...one,
    id: `${id}/${probe}`,
    purpose: { kind: 'silence', silence: id, probe },
    priority: 2,
  };
}

function createCalibrations(document: Api, resource: Resource): Case[] {
  const { create } = resource.operations;
  if (!create) return [];
  const plan = planBodies(document, resource);
  const integer = plan.properties.find(({ schema }) => schema.format === 'int64');
  const make = (marker: string, extra: Record<string, unknown> = {}) =>
    createCase(
      create,
      marker,
      toBodyText(plan, validFields(plan, marker, extra)),
      { kind: 'call' },
      2,
      marker,
    );
  const large = bodySizes.map((size) => bodyOfSize(create, size));
  const names = nameLengths.flatMap((length) => nameOfLength(document, resource, length) ?? []);
  const repeated =
    integer === undefined
      ? []
      : [
          silence(
            make('sent once {{run}}', { [integer.name]: 2 }),
            'repeated-create',
            'sent with another value',
          ),
        ];
  return [...large, ...names, ...repeated];
}

/** A create whose body is so many bytes long, and lacks what is required. */
function bodyOfSize(create: Operation, size: number): Case {
  const body = JSON.stringify({ noSuchField: 'x'.repeat(size - '{"noSuchField":""}'.length) });
  const one = createCase(create, '', body, { kind: 'call' }, 2, '');
  return silence(one, 'body-size', `${size} bytes`);
}

/** A create whose text is so many characters long; undefined where none may have any text. */
function nameOfLength(document: Api, resource: Resource, length: number): Case | undefined {
  const { create } = resource.operations;
  const plan = planBodies(document, resource);
  if (!create || plan.markerProperty === undefined) return undefined;
  // What stands for the run is a character shorter than its placeholder.
  const name = `${length} {{run}} `.padEnd(length + 1, 'x');
  const body = toBodyText(plan, validFields(plan, name));
  const one = createCase(create, name, body, { kind: 'call' }, 2, name);
  return silence(one, 'unusual-name', `${length} characters`);
}

function originCases(document: Api, resource: Resource): Case[] {
  const { list } = resource.operations;
  if (!list) return [];
  const one = listCase({ document, resource }, list, {});
  return [1, 2].map((turn) => ({
    ...silence(one, 'head-and-options', 'from another origin'),
    id: `head-and-options/from another origin (${turn})`,
    headers: { Origin: 'https://front-end.invalid' },
  }));
}

/** Which turns these are: a run has asked once. */
const protocolTurns = [2, 3];

/** HEAD and a method that the path of an item lacks, asked again. */
function protocolAgain(document: Api, { operations: { list, read } }: Resource): Case[] {
  const own = protocolCases(document).filter(
    ({ parametersOf }) => parametersOf === list || parametersOf === read,
  );
  return protocolTurns.flatMap((turn) => own.map((one) => ({ ...one, id: `${one.id} (${turn})` })));
}
