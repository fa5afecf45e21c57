import { toToken } from '../json-pointer.ts';
import { type Fault, removal } from './fault.ts';
import { upgradeBounds, upgradeNullable } from './upgrade-to-3-1.ts';
import { isRecord, type Place } from './walk.ts';

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** What is wrong with the value of a keyword; undefined where nothing is. */
type FindProblem = (value: unknown) => string | undefined;

const unless =
  (isRight: (value: unknown) => boolean, problem: string): FindProblem =>
  (value) =>
    isRight(value) ? undefined : problem;

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
const isText = (value: unknown) => typeof value === 'string';
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const number = unless(isNumber, 'is no number');
const count = unless(
  (value) => isNumber(value) && Number.isInteger(Number(value)) && Number(value) >= 0,
  'is no whole number from 0',
);
const schema = unless((value) => isRecord(value) || typeof value === 'boolean', 'is no schema');
const schemas = unless(isFilled, 'is no list of schemas');
const named = unless(isRecord, 'is no object');
const flag = unless((value) => typeof value === 'boolean', 'is neither true nor false');

/** The keywords whose value a validator reads. */
const keywords: Readonly<Record<string, FindProblem>> = {
  type: unless(isType, `is none of ${types.join(', ')}`),
  enum: unless(isFilled, 'lists no value'),
  pattern: (value) => (isText(value) ? patternProblem(value as string) : 'is no text'),
  format: unless(isText, 'is no text'),
  ...each('minimum maximum exclusiveMinimum exclusiveMaximum', number),
  multipleOf: unless((value) => isNumber(value) && Number(value) > 0, 'is no number above 0'),
  ...each('minLength maxLength minItems maxItems minProperties maxProperties', count),
  ...each('minContains maxContains', count),
  uniqueItems: flag,
  required: unless(isTexts, 'is no list of names'),
  dependentRequired: unless(
    (value) => isRecord(value) && Object.values(value).every(isTexts),
    'is no object of lists of names',
  ),
  ...each('properties patternProperties dependentSchemas $defs definitions', named),
  ...each('allOf anyOf oneOf prefixItems', schemas),
  ...each('items contains not if then else propertyNames', schema),
  ...each('additionalProperties unevaluatedProperties unevaluatedItems', schema),
  'x-twin': unless(saysReferences, 'is not { references: /PATH } or { references: none }'),
};

/** The keywords that say with `true` that there may be others, or with `false` that there are none. */
const bounds = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);
const closing = bounds.union(new Set(['items']));

/** Whether an `x-twin` says which collection a property refers to. */
function saysReferences(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).join() !== 'references') return false;
  const { references } = value;
  return references === 'none' || (isText(references) && (references as string).startsWith('/'));
}

/** What of a schema cannot be used, each keyword for itself. */
export function findSchemaFaults(part: unknown, place: Place, moves: Map<string, string>): Fault[] {
  const { pointer, holder, key } = place;
  if (typeof part === 'boolean') {
    if (part ? bounds.has(String(key)) : closing.has(String(key))) return [];
    // Whoever reads a schema reads an object.
    return [{ pointer, mend: () => (holder[key] = part ? {} : { not: {} }) }];
  }
  if (!isRecord(part))
    return [{ pointer, problem: 'it is no schema and is ignored', mend: removal(holder, key) }];
  const faults: Fault[] = [];
  const add = (keyword: string, problem: string, mend = removal(part, keyword)) =>
    faults.push({ pointer: `${pointer}/${toToken(keyword)}`, problem, mend });
  if ('nullable' in part)
    add('nullable', 'OpenAPI 3.1 has no such keyword; it is read as in 3.0', () =>
      upgradeNullable(part, place, moves),
    );
  for (const keyword of Object.keys(part)) {
    const value = part[keyword];
    const isOldBound = keyword.startsWith('exclusive') && typeof value === 'boolean';
    const problem = Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(value) : undefined;
    if (isOldBound)
      add(keyword, 'a boolean here is of OpenAPI 3.0, and is read as there', () =>
        upgradeBounds(part),
      );
    else if (problem !== undefined) add(keyword, `it ${problem} and is ignored`);
  }
  if (isRecord(part.patternProperties)) {
    const { patternProperties } = part;
    for (const pattern of Object.keys(patternProperties)) {
      const problem = patternProblem(pattern);
      if (problem === undefined) continue;
      const at = `${pointer}/patternProperties/${toToken(pattern)}`;
      const mend = removal(patternProperties, pattern);
      faults.push({ pointer: at, problem: `the name ${problem} and is ignored`, mend });
    }
  }
  return faults;
}

function isType(value: unknown): boolean {
  const named = [value].flat();
  return named.length > 0 && named.every((one) => types.includes(one as string));
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    const reason = (error as Error).message.replace(/^.*: /s, '');
    return `is no Unicode regular expression (${reason})`;
  }
}

function each(names: string, find: FindProblem): Record<string, FindProblem> {
  return Object.fromEntries(names.split(' ').map((name) => [name, find]));
}
