import { withAt } from '../../common/property-path.ts';
import type { Operation, Schema } from '../../openapi/index.ts';
import { keysBeside } from '../../openapi/model/placements.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { type BodyPlan, isClearIn, planBodies, toBodyText, validFields } from './bodies.ts';
import type { Fields } from './body-parts.ts';
import { type Case, type DescribedResource, type Purpose, plainCase } from './case.ts';
import { flagOf, isFlag } from './example-value.ts';
import { freshLength, freshText } from './fresh-value.ts';
import { readOnlyFields } from './read-only.ts';

/** Longer texts may exceed what a deployment takes of a body. */
const longestText = 10_000;

/** Texts that an item may have, and whether a deployment has no reason to refuse them. */
const texts: readonly [name: string, toText: (marker: string) => string, isSure: boolean][] = [
  ['letters', (marker) => `${marker} Žlutý 猫 кот بط 👩‍⚕️ é e\u0301\u00a0x`, true],
  ['marks', (marker) => `${marker} <b>T</b> &amp; "J" 'n' \\/%20+ MiX  {x}`, true],
  ['spaces', (marker) => `  ${marker}  `, false],
  ['controls', (marker) => `${marker} tab\t line\n bell\u0007 end`, false],
  ['digits', () => '{{digits}}', false],
  ['true', () => 'true', false],
  ['long', (marker) => `${marker} ${'long '.repeat(50)}end`, false],
];

/** Valid bodies of every shape. */
export function createCases(described: DescribedResource): Case[] {
  const { create } = described.resource.operations;
  if (!create) return [];
  const plan = planBodies(described.document, described.resource);
  const build = (
    name: string,
    priority: 1 | 2,
    make: (marker: string) => Fields,
    traits: Pick<Extract<Purpose, { kind: 'create' }>, 'mayRefuse' | 'unused'> = {},
  ): Case => {
    const fields = make(`${name} {{run}}`);
    const marker = plan.markerProperty === undefined ? '' : String(fields[plan.markerProperty]);
    // Of alternatives, a body may fit more than one.
    const isOpen = plan.parts.isOpen || plan.isGuessed || hasUnclearForm(plan, fields);
    const isDoubtful = isOpen || traits.mayRefuse === true;
    const purpose = { kind: 'create', ...traits, ...(isDoubtful && { mayRefuse: true }) } as const;
    return createCase(
      create,
      `valid: ${name}`,
      toBodyText(plan, fields),
      purpose,
      priority,
      // Other items may have this text too.
      marker === 'true' ? '' : marker,
    );
  };
  const optional = plan.properties.filter(({ required }) => !required);
  const readOnly = readOnlyFields(described.document, described.resource);
  // A server that takes such a value may choke on it for everybody, unless it is stated that it must.
  const mayBeAtEdge = described.document.clauses.some(({ id }) => id === 'created-as-sent');
  return [
    build('only required', 1, (marker) => validFields(plan, marker)),
    ...optional.flatMap(({ name, schema }) =>
      validValues(schema, plan).map((value) =>
        build(`${name} ${value}`, 1, (marker) => validFields(plan, marker, { [name]: value })),
      ),
    ),
    ...(mayBeAtEdge ? plan.properties.filter(isBoundedText) : []).map(({ name, schema }) =>
      build(
        `${name} of ${schema.maxLength} characters`,
        2,
        (marker) => validFields(plan, marker, { [name]: longText(Number(schema.maxLength)) }),
        { mayRefuse: true },
      ),
    ),
    ...(plan.markerProperty ? texts : []).map(([name, toText, isSure]) => {
      const make = (marker: string) => validFields(plan, toText(marker));
      return isSure ? build(name, 1, make) : build(name, 2, make, { mayRefuse: true });
    }),
    ...plan.properties
      .filter(({ schema }) => mayBeAtEdge && schema.type === 'integer' && schema.format === 'int64')
      .flatMap(({ name }) =>
        [9_007_199_254_740_993n, 9_223_372_036_854_775_807n, -9_007_199_254_740_993n].map((value) =>
          build(`${name} ${value}`, 1, (marker) => validFields(plan, marker, { [name]: value }), {
            mayRefuse: true,
            ...(value > 0n && { unused: name }),
          }),
        ),
      ),
    ...(Object.keys(readOnly).length > 0
      ? [
          build('with what is read-only', 2, (marker) => validFields(plan, marker, readOnly), {
            mayRefuse: true,
          }),
        ]
      : []),
    ...Object.entries(plan.examples).map(([name, example]) =>
      build(
        `example ${name}`,
        2,
        (marker) => ({
          ...example,
          ...(plan.markerProperty && { [plan.markerProperty]: marker }),
        }),
        { mayRefuse: true },
      ),
    ),
  ];
}

/** Whether a property may hold any text up to a stated length. */
function isBoundedText({ schema }: BodyPlan['properties'][number]): boolean {
  const { type, enum: values, format, pattern, maxLength } = schema;
  const isAnyText =
    type === 'string' && !values && !format && !pattern && schema.const === undefined;
  return isAnyText && Number(maxLength) > 0 && Number(maxLength) <= longestText;
}

/** A text of a length that, where it can, is that of no other item. */
function longText(length: number): string {
  const isOwn = length >= freshLength;
  return 'x'.repeat(isOwn ? length - freshLength : length) + (isOwn ? freshText : '');
}

/** A create whose body contains the id of an existing item. */
export function createWithIdCases(described: DescribedResource): Case[] {
  const { create } = described.resource.operations;
  // Where another key is beside it, several items may have the id.
  if (!create || keysBeside(described.resource).length > 0) return [];
  const plan = planBodies(described.document, described.resource);
  const marker = 'with id {{run}}';
  // An item of others could be replaced.
  const id = `{{known.${described.resource.name}.created}}`;
  const fields = withAt(validFields(plan, marker), described.resource.idProperty, id);
  const body = toBodyText(plan, fields);
  return [createCase(create, 'with an id', body, { kind: 'create-with-id' }, 2, marker)];
}

export function createCase(
  create: Operation,
  name: string,
  body: string,
  purpose: Case['purpose'],
  priority: Case['priority'],
  marker: string,
): Case {
  const { form, mediaType = 'application/json' } = sendableBodyOf(create) ?? {};
  return {
    ...plainCase(create, name),
    path: create.path,
    headers: { 'Content-Type': mediaType },
    body,
    ...(form && { form }),
    purpose,
    // Such a call is made whatever its body may be refused for.
    ...(purpose.kind === 'call' && { isMadeUp: true }),
    priority,
    ...(isCarried(marker, body) && { marker }),
    writes: true,
  };
}

/** Whether a form has lists or objects of which the document does not say how they are written. */
function hasUnclearForm({ form, properties }: BodyPlan, fields: Fields): boolean {
  if (!form) return false;
  return properties.some(({ name, made }) => name in fields && !isClearIn(form, name, made));
}

/** Whether a JSON text contains a text as a value: only then can an item be recognized by it. */
function isCarried(marker: string, body: string): boolean {
  return body.includes(JSON.stringify(marker));
}

/** No form has a null. */
function validValues(schema: Schema, { form }: BodyPlan): unknown[] {
  const { enum: values } = schema;
  if (isFlag(schema)) return [flagOf(schema)];
  return Array.isArray(values) ? values.filter((value) => !form || value !== null) : [];
}

/** The same create of another item, by another text where it has one of its own. */
export function remarked(one: Case, id: string, marker: string): Case {
  if (one.marker === undefined) return { ...one, id };
  const body = one.body?.replace(JSON.stringify(one.marker), JSON.stringify(marker)) as string;
  return { ...one, id, marker, body };
}
