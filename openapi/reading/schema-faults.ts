import { isNumber, isObject, isText, typeOf } from '../../common/json.ts';
import { textOf } from '../../common/text-of.ts';
import { each, namesOf, toPlainName } from '../../common/words.ts';
import { type RawDocument, schemaKeywords } from '../schema.ts';
import { findSameAlternative, findSharedDiscriminator } from './alternatives.ts';
import { type Fault, removal } from './fault.ts';
import type { Place } from './parts.ts';
import { isIgnoredPattern, patternProblem } from './patterns.ts';
import type { Places } from './places.ts';
import { fitsLength, isPlainKeyword } from './plain-schemas.ts';
import { upgradeBounds, upgradeNullable } from './upgrade-to-3-1.ts';

const types = namesOf('string number integer boolean object array null');

/** Returns the problem of the value of a keyword; undefined if there is none. */
type FindProblem = (value: unknown) => string | undefined;

const unless =
  (isRight: (value: unknown) => boolean, problem: string): FindProblem =>
  (value) =>
    isRight(value) ? undefined : problem;

const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isTypes = (value: unknown) =>
  Array.isArray(value) && value.every((one) => types.includes(one));
const isFlag = (value: unknown) => typeof value === 'boolean';

const number = unless(isNumber, 'is no number');
const count = unless(
  (value) => isNumber(value) && Number.isInteger(Number(value)) && Number(value) >= 0,
  'is no whole number from 0',
);
const schema = unless((value) => isObject(value) || isFlag(value), 'is no schema');

/** The keywords whose value a validator reads. */
const keywords: Readonly<Record<string, FindProblem>> = {
  type: unless(
    (value) => (isText(value) ? types.includes(value) : isFilled(value) && isTypes(value)),
    `is none of ${types.join(', ')}`,
  ),
  enum: unless(isFilled, 'lists no value'),
  pattern: (value) => (isText(value) ? patternProblem(value) : 'is no text'),
  format: unless(isText, 'is no text'),
  ...each('minimum maximum exclusiveMinimum exclusiveMaximum', number),
  multipleOf: unless((value) => isNumber(value) && Number(value) > 0, 'is no number above 0'),
  ...each('minLength maxLength minItems maxItems minProperties maxProperties', count),
  ...each('minContains maxContains', count),
  uniqueItems: unless(isFlag, 'is neither true nor false'),
  required: unless(isTexts, 'is no list of names'),
  dependentRequired: unless(
    (value) => isObject(value) && Object.values(value).every(isTexts),
    'is no object of lists of names',
  ),
  ...each('properties dependentSchemas $defs definitions', unless(isObject, 'is no object')),
  patternProperties: (value) =>
    isObject(value)
      ? Object.keys(value)
          .map(patternProblem)
          .find((problem) => problem !== undefined)
      : 'is no object',
  ...each(schemaKeywords.list.join(' '), unless(isFilled, 'is no list of schemas')),
  ...each(schemaKeywords.one.join(' '), schema),
  examples: unless(Array.isArray, 'is no list'),
  discriminator: (value) => {
    if (!isObject(value) || !isText(value.propertyName)) return 'names no property';
    const { mapping = {} } = value;
    return isObject(mapping) ? undefined : 'has a mapping that is no object';
  },
  'x-twin': unless(saysReferences, 'is not { references: /PATH } or { references: none }'),
};

const problems = new Map(Object.entries(keywords));

/** Formats that are written as types, with the type of their values. */
const typesOfFormats: Readonly<Record<string, string>> = {
  ...each('date date-time time uuid email uri byte binary password', 'string'),
  ...each('int32 int64', 'integer'),
  ...each('float double', 'number'),
};

/** Returns the type that an unknown one means: in another case, cut short, or by a format. */
function toMeantType(type: unknown, isAlternative = false): RawDocument | undefined {
  if (Array.isArray(type)) {
    const all = type.map((one) => toMeantType(one, true));
    const isPlain = all.every((one) => one && one.format === undefined);
    return isPlain && all.length > 0 ? { type: all.map((one) => one?.type) } : undefined;
  }
  // YAML reads the name without quotes as no text.
  if (type === null) return isAlternative ? { type: 'null' } : undefined;
  const plain = toPlainName(isText(type) ? type : '');
  const own = types.find((one) => one === plain || (plain.length > 2 && one.startsWith(plain)));
  if (own !== undefined) return { type: own };
  const format = Object.keys(typesOfFormats).find((one) => toPlainName(one) === plain);
  return format === undefined ? undefined : { type: typesOfFormats[format], format };
}

/** The lower bounds by the upper ones, which are no less. */
const lowerBounds = new Map(
  ['imum', 'Length', 'Items', 'Properties'].map((one) => [`max${one}`, `min${one}`]),
);

/** The keywords that say with `true` that there may be others, or with `false` that there are none. */
const bounds = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);
const closing = bounds.union(new Set(['items']));

/** The keywords that others matter to, or few values of which are right. */
const special = new Set(
  namesOf('nullable enum const pattern oneOf anyOf format default example examples'),
);

/** Tells quickly that the keywords of a schema can be used as they are written. */
function hasPlainKeywords(schema: RawDocument): boolean {
  for (const keyword in schema) {
    if (lowerBounds.has(keyword)) return false;
    if (isPlainKeyword(schema, keyword)) continue;
    if (special.has(keyword) || problems.get(keyword)?.(schema[keyword]) !== undefined)
      return false;
    if (keyword === 'items' && !mayBeList(schema)) return false;
  }
  return true;
}

/** Whether an `x-twin` says which collection a property refers to. */
function saysReferences(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).join() !== 'references') return false;
  const { references } = value;
  return references === 'none' || (isText(references) && references.startsWith('/'));
}

/** Finds the keywords of a schema that cannot be used, each for itself. */
export function findSchemaFaults(part: unknown, place: Place, places: Places): Fault[] {
  const { holder, key, root } = place;
  if (typeof part === 'boolean') {
    if (place.field === '' && (part ? bounds : closing).has(textOf(key))) return [];
    // Whoever reads a schema reads an object.
    const mend = () => (holder[key] = part ? {} : { not: {} });
    return [{ pointer: place.pointer, mend, isSettled: true }];
  }
  if (part === null && place.field === '/properties') {
    const problem = 'it is empty; any value is accepted here';
    return [{ pointer: place.pointer, problem, mend: () => (holder[key] = {}) }];
  }
  if (!isObject(part)) {
    const problem = 'it is no schema and is ignored';
    return [{ pointer: place.pointer, problem, mend: removal(holder, key) }];
  }
  if (hasPlainKeywords(part)) return [];
  const faults: Fault[] = [];
  const add = (keyword: string, problem: string, mend?: () => void) =>
    faults.push({
      pointer: `${place.pointer}/${keyword}`,
      problem,
      mend: mend ?? removal(part, keyword),
      isSettled: keyword === 'pattern' && mend === undefined,
    });
  for (const keyword in part) {
    const value: unknown = part[keyword];
    const problem = problems.get(keyword)?.(value);
    const meantType =
      keyword === 'type' && problem !== undefined
        ? toMeantType(value, /\/(oneOf|anyOf)\/\d+$/.test(place.pointer))
        : undefined;
    if (isFlag(value) && keyword.startsWith('exclusive'))
      add(keyword, 'a boolean here is of OpenAPI 3.0, and is read as there', () =>
        upgradeBounds(part),
      );
    else if (meantType)
      add(
        keyword,
        `${isText(value) ? `"${value}"` : JSON.stringify(value)} is no type; it is read as ${JSON.stringify(meantType)}`,
        () => Object.assign(part, meantType),
      );
    else if (keyword === 'items' && isFilled(value) && part.type === undefined)
      add(keyword, 'a list without a type is read as anyOf', () => {
        part.anyOf = value;
        delete part.items;
        places.note(part.anyOf, `${places.find(root, place.pointer)}/items`);
      });
    else if (problem !== undefined) add(keyword, `it ${problem} and is ignored`);
    else if (keyword === 'items' && !mayBeList(part))
      add(keyword, 'no value of the type beside it is a list; it is ignored');
    const lower = lowerBounds.get(keyword);
    if (lower !== undefined && isNumber(value) && isNumber(part[lower]) && part[lower] > value)
      add(keyword, `it is below ${lower} and is ignored`);
  }
  for (const keyword of ['enum', 'const', 'default', 'example', 'examples']) {
    const isOne = keyword === 'default' || keyword === 'example';
    const meant = (isOne ? toMeantExample : toMeant)(part[keyword], part.type);
    const mend = () => (part[keyword] = meant);
    const problem = `it is read as ${JSON.stringify(meant)}, as the type beside it says`;
    if (meant === undefined) continue;
    if (keyword === 'enum' || keyword === 'const') add(keyword, problem, mend);
    else faults.push({ pointer: `${place.pointer}/${keyword}`, mend, isSettled: true });
  }
  if (!fitsLength(part)) {
    const isDate = part.format === 'date-time' && part.maxLength === 10;
    const meant = isDate ? () => (part.format = 'date') : undefined;
    const result = isDate ? 'read as date' : 'ignored';
    add('format', `no text of it has the length beside it; it is ${result}`, meant);
  }
  if (part.format === 'int-or-string' && part.type === 'string')
    faults.push({
      pointer: place.pointer,
      mend: () => (part.type = ['string', 'integer']),
      isSettled: true,
    });
  if ('nullable' in part)
    add('nullable', 'OpenAPI 3.1 has no such keyword; it is read as in 3.0', () =>
      upgradeNullable(part, () => places.find(root, place.pointer), places),
    );
  const { type, pattern, const: only, enum: values = only === undefined ? only : [only] } = part;
  const [, written, flags] = /^\/(\^.*\$)\/([a-z]*)$/.exec(isText(pattern) ? pattern : '') ?? [];
  if (written !== undefined)
    add('pattern', 'it is written as in JavaScript, and is read without its slashes', () => {
      if (flags === '') part.pattern = written;
      else delete part.pattern;
    });
  else if (
    isText(pattern) &&
    patternProblem(pattern) === undefined &&
    isIgnoredPattern(pattern, part)
  )
    add('pattern', 'no example beside it matches, and it is ignored');
  const hasType = (one: unknown) => isOf(toMeant(one, type) ?? one, type);
  if (isFilled(values) && type !== undefined && !values.some(hasType)) {
    // The enum of a list is often that of its items.
    if (type === 'array') add('enum', 'none of its values is a list, and it is ignored');
    else
      add(
        'type',
        `no value of the ${only === undefined ? 'enum' : 'const'} has it, and it is ignored`,
      );
  }
  if (type !== undefined && hasOtherTypes(part))
    add('type', 'the alternatives beside it have others, and it is ignored');
  const shared = findSharedDiscriminator(part, root);
  const second = shared ? -1 : findSameAlternative(part, root);
  if (shared)
    faults.push({
      pointer: place.pointer,
      mend: () => (part.discriminator = shared),
      isSettled: true,
    });
  if (second !== -1)
    faults.push({
      pointer: `${place.pointer}/oneOf/${second}`,
      problem: 'what fits it fits an alternative before it, too; oneOf is read as anyOf',
      isSettled: true,
      mend() {
        part.anyOf = part.oneOf;
        delete part.oneOf;
        places.note(part.anyOf, `${places.find(root, place.pointer)}/oneOf`);
      },
    });
  return faults;
}

function mayBeList({ type = 'array' }: RawDocument): boolean {
  return [type].flat().includes('array');
}

/**
 * The value, or the list of values, that a type means: YAML reads 2024 as no text, and some tools
 * write all values as texts. Undefined where none is of another type, or means what is of this one.
 */
function toMeant(value: unknown, type: unknown): unknown {
  const [only, ...others] = [type].flat().filter((one) => one !== 'null');
  if (others.length > 0) return undefined;
  if (!Array.isArray(value)) return toMeantScalar(value, only);
  const isOther = value.some((one) => toMeantScalar(one, only) !== undefined);
  return isOther ? value.map((one: unknown) => toMeantScalar(one, only) ?? one) : undefined;
}

/** The same of one example, which may be the only item of a list. */
function toMeantExample(value: unknown, type: unknown): unknown {
  return type === 'array' && isObject(value) ? [value] : toMeant(value, type);
}

function toMeantScalar(value: unknown, type: unknown): unknown {
  if (type === 'string') return isNumber(value) || isFlag(value) ? String(value) : undefined;
  if (!isText(value)) return undefined;
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : undefined);
  const number = type === 'number' || type === 'integer' ? Number(value) : Number.NaN;
  return String(number) === value && isOf(number, type) ? number : undefined;
}

/** Whether a value has a type, or one of several. */
function isOf(value: unknown, type: unknown): boolean {
  const types = [type].flat();
  return (
    types.includes(typeOf(value)) ||
    (isNumber(value) && types.some((one) => one === 'number' || one === 'integer'))
  );
}

/** Whether no value of an alternative of a schema has the type beside the alternatives. */
function hasOtherTypes({ type, oneOf, anyOf = oneOf }: RawDocument): boolean {
  const allowed = [type].flat();
  const isOther = (one: unknown) =>
    one !== 'null' && !allowed.includes(one) && !(one === 'integer' && allowed.includes('number'));
  const ownTypes = [anyOf ?? []].flat().map((one) => (isObject(one) ? one.type : undefined));
  return (
    ownTypes.every((own) => own !== undefined) &&
    ownTypes.some((own) => [own].flat().every(isOther))
  );
}
