import type { Api, Operation, Schema } from '../../openapi/index.ts';
import type { BodyPlan } from './bodies.ts';
import { isFlag } from './example-value.ts';
import { freshText } from './fresh-value.ts';

/** A value of each kind, with the types that it fits. */
const samples: [what: string, value: unknown, fits: string[]][] = [
  ['a text', 'no-such-value', ['string']],
  ['an empty text', '', ['string']],
  ['a number in quotes', '7', ['string']],
  ['a number', 7, ['integer', 'number']],
  ['a padded number in quotes', ' 7 ', ['string']],
  ['zero', 0, ['integer', 'number']],
  ['a fraction', 1.5, ['number']],
  ['true', true, ['boolean']],
  ['false', false, ['boolean']],
  ['null', null, ['null']],
  ['an array', [], ['array']],
  ['an object', {}, ['object']],
];

/** The values for what may be the id of an item: a deployment may read `1.5` and `true` as 1. */
const ofNoItem: Readonly<Record<string, unknown>> = {
  'a text': `no-such-value-${freshText}`,
  // With a fallback it stays in quotes.
  'a number in quotes': '{{number|}}',
  'a number': '{{number}}',
  'a padded number in quotes': ' {{number}} ',
  'a fraction': '{{number}}.5',
};

/** The values that no deployment can read as an id. */
const unreadable = ['a text', 'an object', 'null'];

/**
 * Ways to break a property's schema: a name for each, and the value. In a form each value is a text,
 * which only what is read as something else is not.
 */
export function wrongValues(
  { schema, isNaming }: Pick<BodyPlan['properties'][number], 'schema' | 'isNaming'>,
  { form, isWorded }: Pick<BodyPlan, 'form' | 'isWorded'>,
): [what: string, value: unknown][] {
  const types = [schema.type].flat();
  const mayBeText = ['array', 'object', 'null'].some((type) => types.includes(type));
  const isNumber = types.includes('integer') || types.includes('number');
  const wrong = wrongJsonValues(schema)
    .filter(([what]) => !isNaming || unreadable.includes(what))
    .filter(([what]) => isWorded || !isNumber || what !== 'true')
    // A deployment may read the others as true.
    .filter(([, value]) => isWorded || !(types.includes('boolean') || isFlag(schema)) || !value)
    .map(([what, value]): [string, unknown] => [
      what,
      isWorded && !isNaming ? value : (ofNoItem[what] ?? value),
    ]);
  if (!form) return wrong;
  return mayBeText ? [] : wrong.filter(([what]) => what === 'a text');
}

function wrongJsonValues({ type, enum: values }: Schema): [what: string, value: unknown][] {
  if (Array.isArray(values)) {
    const spellings: [string, unknown][] = [
      ['in upper case', String(values[0]).toUpperCase()],
      ['with a capital', String(values[0]).replace(/^./, (letter) => letter.toUpperCase())],
      ['padded', ` ${values[0]} `],
      ['in an array', [values[0]]],
    ];
    return [
      ...samples.map(([what, value]): [string, unknown] => [what, value]),
      ...spellings,
    ].filter(([, value]) => !values.includes(value));
  }
  const types = [type].flat() as string[];
  return types.includes(undefined as never)
    ? []
    : samples
        .filter(([, , fits]) => !fits.some((one) => types.includes(one)))
        .map(([what, value]) => [what, value]);
}

/** A valid body changed so that it is not a JSON object, or not JSON. */
export type WrongBody = {
  what: string;
  /** The rule that the body breaks: presence, required members, type, or JSON syntax. */
  breaks: 'presence' | 'required' | 'type' | 'json';
  make: (valid: string) => string;
};

const wrongBodies: readonly WrongBody[] = [
  { what: 'an empty object', breaks: 'required', make: () => '{}' },
  { what: 'an array', breaks: 'type', make: () => '[]' },
  { what: 'an array of one', breaks: 'type', make: (valid) => `[${valid}]` },
  { what: 'a text', breaks: 'type', make: () => '"animal"' },
  { what: 'a number', breaks: 'type', make: () => '42' },
  { what: 'true', breaks: 'type', make: () => 'true' },
  { what: 'null', breaks: 'type', make: () => 'null' },
  { what: 'empty', breaks: 'presence', make: () => '' },
  { what: 'cut off', breaks: 'json', make: (valid) => valid.slice(0, -1) },
  { what: 'with a comma too many', breaks: 'json', make: (valid) => `${valid.slice(0, -1)},}` },
  { what: 'with more behind it', breaks: 'json', make: (valid) => `${valid} more` },
  { what: 'not JSON', breaks: 'json', make: () => 'name=Rex' },
];

/** Returns invalid bodies for a create: text that is not JSON, and bodies that break its schema. */
export function wrongBodiesFor(document: Api, { body }: Operation): WrongBody[] {
  const schema = body?.schema ?? {};
  const isAsked: Record<WrongBody['breaks'], boolean> = {
    presence: body?.required === true,
    required: document.schemas.describeSchema(schema).required.length > 0,
    type: asksForObject(document, schema),
    json: true,
  };
  return wrongBodies.filter(({ breaks }) => isAsked[breaks]);
}

function asksForObject(document: Api, schema: Schema): boolean {
  const { type, allOf, oneOf, anyOf } = document.schemas.resolve(schema);
  const asks = (part: Schema) => asksForObject(document, part);
  const isAskedByEach = (ways: unknown) =>
    Array.isArray(ways) && ways.length > 0 && ways.every(asks);
  return (
    type === 'object' ||
    (Array.isArray(allOf) && allOf.some(asks)) ||
    isAskedByEach(oneOf) ||
    isAskedByEach(anyOf)
  );
}
