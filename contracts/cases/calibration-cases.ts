import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { planBodies, toBodyText, validFields } from './bodies.ts';
import type { Case } from './case.ts';
import { createCase } from './create-cases.ts';
import { listCase } from './list-cases.ts';
import { protocolCases } from './protocol-cases.ts';
import { silenceCases } from './silence-cases.ts';

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
      ...originCases(resource),
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
  // A value that stands for the run is a character shorter than its placeholder.
  const name = `${length} {{run}} `.padEnd(length + 1, 'x');
  const body = toBodyText(plan, validFields(plan, name));
  const one = createCase(create, name, body, { kind: 'call' }, 2, name);
  return silence(one, 'unusual-name', `${length} characters`);
}

function originCases(resource: Resource): Case[] {
  const { list } = resource.operations;
  if (!list) return [];
  const one = listCase(list, {});
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
