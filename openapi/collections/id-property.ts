import { lastWordOf } from '../../common/path-template.ts';
import { partsOf } from '../../common/property-path.ts';
import { textOf } from '../../common/text-of.ts';
import { namesLike, namesOf, singular, toPlainName, wordsOf } from '../../common/words.ts';
import { shownOf } from '../marks.ts';
import { isNoId } from '../model/id-form.ts';
import type { Parameter } from '../model/operation.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { allTypesOf, scalarOf } from './schema-types.ts';

/** The hints on the ids of a collection, besides its items. */
export type IdHints = {
  /** The name of the collection in its path, e.g. `special-events`. */
  noun: string;
  /** The path parameter that names an item, where there is a path of one. */
  parameter?:
    | (Pick<Parameter, 'name' | 'schema' | 'examples'> & Partial<Pick<Parameter, 'description'>>)
    | undefined;
};

/** Words of properties that are ids, alone or behind the noun of the thing that they name. */
const idWords = namesOf('uuid guid uid sid id key slug code number handle name');

/** Properties that name an item even if nothing else says so. */
const surrogates = namesOf('id _id uuid guid uid');

/** Finds the choice between each of them and another property in what is said of a parameter. */
const choices = surrogates.map(
  (one) => [one, new RegExp(`\\b(${one}\\b.*\\bor|or\\b.*\\b${one})\\b`, 'm')] as const,
);

/** Words of properties that name an item for people. */
const naturalKeys = namesOf('slug username login handle key code name');

/** A path parameter that names an item, with what is known of the item. */
type IdSearch = {
  parameter: string;
  /** The name of the parameter without case and separators. */
  word: string;
  nouns: readonly string[];
  properties: FlatSchema['properties'];
  /** The words of the parameter, and each sentence of its description, in a line of its own. */
  said: string;
  /** Whether the parameter is a text and the `id` of items a number. */
  isTextForNumber: boolean;
};

/** A way in which a property is the id that a path names. */
type IdRule = {
  name: string;
  /** The names that such a property has, the surest first. */
  names: (sought: IdSearch) => readonly string[];
  /** A path with the properties of its items, and the id among them. */
  example: string;
};

const usualNames: IdRule = {
  name: 'has a usual name of ids',
  names: ({ nouns }) => [
    ...surrogates,
    ...nouns.flatMap((one) => ['id', 'uuid', 'guid'].map((word) => one + word)),
  ],
  example: '/pets/{which} {color, petUuid} -> petUuid',
};

/** Rules for ids, in their order: a property that an earlier rule finds is the id. */
export const idRules: readonly IdRule[] = [
  {
    name: 'is called as the parameter',
    names: ({ parameter }) => [parameter],
    example: '/pets/{chip} {id, chip} -> chip',
  },
  {
    name: 'is called so in the code behind a generated document',
    names: ({ word, properties }) =>
      Object.keys(properties).filter(
        (name) =>
          properties[name]?.['x-go-name'] !== undefined &&
          toPlainName(textOf(properties[name]['x-go-name'])) === word,
      ),
    example: '/issues/{index} {id, number=Index} -> number',
  },
  {
    name: 'is the id, or else another property is what the parameter names',
    names: ({ said }) => choices.flatMap(([one, choice]) => (choice.test(said) ? [one] : [])),
    example: '/pets/{petIdOrSlug} {id:integer, slug} -> id',
  },
  {
    name: 'names an item for people, as no number is a text',
    names: ({ word, nouns, isTextForNumber }) =>
      word === 'username' || (nouns.includes(word) && isTextForNumber) ? naturalKeys : [],
    example: '/tags/{tag} {id:integer, name} -> name',
  },
  {
    name: 'is called as the end of the parameter',
    names: ({ parameter, word, nouns }) => {
      // The last word of what a collection is called says nothing: `promotion_code` has an `id`.
      if (nouns.includes(word)) return [];
      const isOfNoun = (suffix: string) => nouns.some((noun) => word === noun + suffix);
      const ends = idWords.filter((one) => word.endsWith(one) && (one !== 'name' || isOfNoun(one)));
      // An `iid` ends with `id`, but is another one.
      const whole = wordsOf(parameter).slice(1).at(-1);
      const wholes = ends.some((one) => one !== 'name' && whole?.endsWith(one))
        ? [whole ?? '']
        : [];
      return [...wholes, ...ends, ...withoutNoun(wordsOf(parameter), nouns)];
    },
    example: '/pets/{petSlug} {id, slug} -> slug',
  },
  {
    name: 'is called as the parameter without the noun of the items',
    names: ({ parameter, nouns }) => withoutWord(wordsOf(parameter), nouns),
    example: '/pets/{external_pet_ref} {color, external_ref} -> external_ref',
  },
  usualNames,
  {
    name: 'names an item for people or is called as it, if the parameter is its noun',
    names: ({ word, nouns }) => (nouns.includes(word) ? [...naturalKeys, ...nouns] : []),
    example: '/special-events/{event} {color, login} -> login',
  },
  {
    name: 'is an identifier',
    names: ({ word }) => (word === 'identifier' ? ['slug', 'key', 'code'] : []),
    example: '/pets/{identifier} {color, code} -> code',
  },
  {
    name: 'is called as the last word of the parameter',
    names: ({ parameter }) => wordsOf(parameter).slice(-1),
    example: '/pets/{ownTag} {color, tag} -> tag',
  },
  {
    name: 'ends what the parameter is called, in one word',
    names: ({ word, properties }) =>
      Object.keys(properties).filter((name) => name.length > 3 && word.endsWith(toPlainName(name))),
    example: '/files/{filepath} {color, path} -> path',
  },
  {
    name: 'is called as one item, and the parameter as an id',
    names: ({ word, nouns }) => (/(id|uuid)$/.test(word) ? nouns : []),
    example: '/tags/{id} {color, tag} -> tag',
  },
];

/**
 * The property of an item that the path of one item has, `metadata.name` where that is in an object;
 * undefined where none is sure.
 */
export function findIdProperty(
  raw: RawDocument,
  item: FlatSchema,
  hints: IdHints,
): string | undefined {
  return findOwnId(raw, item, hints) ?? findHeldId(raw, item, hints);
}

function findOwnId(
  raw: RawDocument,
  { properties }: FlatSchema,
  { noun, parameter }: IdHints,
): string | undefined {
  const named = (wanted: string) => {
    const found = namesLike(properties, toPlainName(wanted)).filter(
      (name) => isScalar(raw, properties[name]) && !partsOf(name),
    );
    return found.find((name) => name === wanted) ?? found[0];
  };
  const isSure = (name: string | undefined): name is string =>
    name !== undefined &&
    ((isIdNamed(name, parameter) && isAnyText(scalarOf(raw, properties[name]))) ||
      isAlike(raw, properties[name], parameter?.schema));
  if (parameter && isNoId(scalarOf(raw, parameter.schema))) return undefined;
  const sought: IdSearch = {
    parameter: parameter?.name ?? '',
    word: toPlainName(parameter?.name ?? ''),
    nouns: nounsOf(noun),
    properties,
    said: saidOf(parameter),
    isTextForNumber:
      allTypesOf(raw, parameter?.schema).includes('string') &&
      hasNumber(allTypesOf(raw, properties.id)),
  };
  for (const rule of parameter ? idRules : [usualNames]) {
    const found = rule.names(sought).map(named).find(isSure);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the words of a parameter without the noun in front: `gid` of `project_gid`. */
function withoutNoun(words: readonly string[], nouns: readonly string[]): string[] {
  const rests = words.map((_, index) => [words.slice(0, index), words.slice(index)] as const);
  return rests
    .filter(([front, rest]) => nouns.includes(front.join('')) || /^.?id$/.test(rest.join('')))
    .map(([, rest]) => rest.join(''));
}

/** Returns the words of a parameter without a noun between them: `external_id` of `external_pet_id`. */
function withoutWord(words: readonly string[], nouns: readonly string[]): string[] {
  const at = words.slice(1, -1).findIndex((one) => nouns.includes(one));
  return at < 0 ? [] : [words.toSpliced(at + 1, 1).join('')];
}

/** Objects that say which item it is, beside what it holds. */
const holders = ['metadata', 'meta', 'sys'];

/**
 * The same where the property is in such an object of the item, and is called as the parameter that
 * names an item: `metadata.name` for `{name}`, `sys.id` for `{entry_id}`. The parameter may name the
 * object, too: `user.login` for `{username}`.
 */
function findHeldId(
  raw: RawDocument,
  { properties }: FlatSchema,
  hints: IdHints,
): string | undefined {
  const word = toPlainName(hints.parameter?.name ?? '');
  const isHolder = (outer: string) => holders.includes(toPlainName(outer));
  const isNamed = (outer: string) => word.startsWith(toPlainName(outer));
  const held = Object.keys(properties).filter((outer) => isHolder(outer) || isNamed(outer));
  const found = held.flatMap((outer) => {
    const inner = findOwnId(raw, shownOf(raw, flatten(raw, properties[outer])), hints);
    const isSure = inner !== undefined && (isNamed(outer) || word.endsWith(toPlainName(inner)));
    return isSure ? [`${outer}.${inner}`] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Finds the property by which a path names an item as well as by its id: the parameter says so by its
 * name, as `team_id_or_slug`, or in words, as "ID or email of the user".
 */
export function findAlias(
  raw: RawDocument,
  { properties }: FlatSchema,
  { parameter, idProperty }: Pick<IdHints, 'parameter'> & { idProperty: string },
): string | undefined {
  if (!parameter || !allTypesOf(raw, parameter.schema).includes('string')) return undefined;
  const id = partsOf(idProperty)?.inner ?? idProperty;
  const said = saidOf(parameter);
  if (!/ or |,/.test(said)) return undefined;
  return Object.keys(properties).find((name) => {
    const isSaid = wordsOf(name).every((word) => said.includes(word));
    const isText = isSaid && allTypesOf(raw, properties[name]).includes('string');
    if (name === idProperty || !isText) return false;
    const [own, other] = [id, name].map((one) => wordsOf(one).join('[ _-]?'));
    const between = '[`\'"]?(?:,? or|,)(?: the| its| an?)? [`\'"]?';
    const isEither = new RegExp(`\\b(${own}${between}${other}|${other}${between}${own})\\b`);
    return isEither.test(said);
  });
}

/** The words of a parameter, and the sentences of its description, each in a line. */
function saidOf(parameter: IdHints['parameter']): string {
  const { name = '', description = '' } = parameter ?? {};
  const sentences = description.toLowerCase().split(/\.\s|\n/);
  return [wordsOf(name).join(' '), ...sentences].join('\n');
}

/** Words by which descriptions of parameters name the one who calls. */
const callerWords = /[`'"](@?me|self|current|myself|~)[`'"]/gi;

/** The words that a path takes in the place of an id, for the item of the one who calls. */
export function callersOf(parameter: IdHints['parameter']): string[] | undefined {
  const found = [...(parameter?.description ?? '').matchAll(callerWords)];
  return found.length > 0 ? found.map(([, word = '']) => word) : undefined;
}

/** The words for one item, from the longest to the last: `specialevent`, `event`. */
export function nounsOf(noun: string): string[] {
  const words = wordsOf(noun);
  const last = singular(words.at(-1) ?? '');
  const all = [...words.slice(0, -1), last];
  return all.map((_, index) => all.slice(index).join('')).filter((one) => one !== '');
}

/** Whether a property may be what a parameter of this schema names: no text is a whole number. */
function isAlike(raw: RawDocument, property: Schema | undefined, parameter?: Schema): boolean {
  if (!parameter || !hasNumber(allTypesOf(raw, parameter))) return true;
  const types = allTypesOf(raw, property);
  return types.length === 0 || hasNumber(types);
}

/** Whether a property is surely the id that a parameter names: as any text, it holds its digits. */
function isIdNamed(name: string, parameter: IdHints['parameter']): boolean {
  return name === 'id' || (name === parameter?.name && /id$/i.test(name));
}

function isAnyText({ type, format, pattern, enum: values }: Schema): boolean {
  return type === 'string' && (format ?? pattern ?? values) === undefined;
}

function hasNumber(types: readonly unknown[]): boolean {
  return types.includes('integer') || types.includes('number');
}

/** Whether a property is one text or number, or may be anything. */
export function isScalar(raw: RawDocument, property: Schema | undefined): boolean {
  const types = allTypesOf(raw, property);
  return types.length === 0 || types.includes('string') || hasNumber(types);
}

/**
 * The property in which an answer without the item itself has the id of one: `silenceID` of
 * `/silences`, or `deleted_silence_id`.
 */
export function receiptOf(
  raw: RawDocument,
  schema: Schema,
  { path, idProperty }: { path: string; idProperty: string },
): string | undefined {
  const wanted = nounsOf(lastWordOf(path)).map((noun) => noun + toPlainName(idProperty));
  const toSought = (name: string) => toPlainName(name).replace(/^deleted/, '');
  const { properties } = shownOf(raw, flatten(raw, schema));
  return Object.keys(properties).find((name) => wanted.includes(toSought(name)));
}
