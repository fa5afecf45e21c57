import { toPlainName, wordsOf } from '../../contracts/description/collections/words.ts';
import type { ApiDocument, Operation, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { isObject } from '../../contracts/description/schema.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { parseExact, toByteText, toText } from '../json/exact-json.ts';
import { oncePer } from '../json/once-per.ts';
import { fits } from '../json/validator.ts';
import type { Call } from './behaviour.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of an answer: where it is, and what its members are called, by their plain names. */
type Place = { at: string | undefined; fields: Fields; names: ReadonlyMap<string, string> };

/**
 * Makes what gives the members of an answer, or of an object in it, the values that a call sends for
 * them in its body or its path: by their names without case and separators, and as far as the schema
 * allows.
 */
export function createEcho(
  document: ApiDocument,
  { path }: Pick<Operation, 'path'>,
  schema: Schema | undefined,
): (answer: Answer | TextAnswer, call: Call) => Answer | TextAnswer {
  const [, last] = /\{([^{}]+)\}\/?$/.exec(path) ?? [];
  const placesOf = oncePer((answer: Answer): Place[] => {
    const { value } = parseExact(toText(answer.json) || 'null');
    const described = describeShown(document, schema ?? {}).properties;
    return objectsIn(value).map(([at, fields]) => {
      const own =
        at === undefined ? described : describeShown(document, described[at] ?? {}).properties;
      return { at, fields, names: toNames(own, fields) };
    });
  });
  const isValid = (value: unknown) => !schema || fits(document, schema, value);
  return (answer, { body, params }) => {
    const isSuccess = answer.status >= 200 && answer.status < 300 && 'json' in answer;
    if (!isSuccess || (!isObject(body) && Object.keys(params).length === 0)) return answer;
    const places = placesOf(answer);
    const [whole] = places;
    const edits = [...editsOfBody(body, places), ...editsOfPath(params, last, places)];
    if (!whole || edits.length === 0) return answer;
    const edited = edits.reduce(withEdit, whole.fields);
    const fitting = isValid(edited)
      ? edited
      : edits.reduce((value, edit) => {
          const next = withEdit(value, edit);
          return isValid(next) ? next : value;
        }, whole.fields);
    return { ...answer, json: toByteText(stringifyExact(fitting)) };
  };
}

/** An object with those that are its members. */
function objectsIn(value: unknown): [at: string | undefined, fields: Fields][] {
  if (!isObject(value)) return [];
  const held = Object.entries(value).filter(([, one]) => isObject(one)) as [string, Fields][];
  return [[undefined, value], ...held];
}

type Edit = { at: string | undefined; name: string; value: unknown };

function withEdit(whole: Fields, { at, name, value }: Edit): Fields {
  const fields = at === undefined ? whole : (whole[at] as Fields);
  const old = fields[name];
  const inner =
    isObject(old) && isObject(value) ? { ...old, ...asNamed(value, toNames(old)) } : value;
  const edited = { ...fields, [name]: inner };
  return at === undefined ? edited : { ...whole, [at]: edited };
}

/** The members that have one of these names, under it. */
function asNamed(fields: Fields, names: Place['names']): Fields {
  const named = Object.entries(fields).map(
    ([name, value]) => [names.get(toPlainName(name)), value] as const,
  );
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}

function toNames(...all: readonly object[]): Place['names'] {
  const names = all.flatMap((one) => Object.keys(one));
  return new Map(names.map((name) => [toPlainName(name), name]));
}

/** The body, or an object in it, and the object of the answer that share the most names. */
function editsOfBody(body: unknown, places: readonly Place[]): Edit[] {
  const all = objectsIn(body).flatMap(([, sent]) =>
    places.map(({ at, names }) =>
      Object.entries(asNamed(sent, names)).map(([name, value]): Edit => ({ at, name, value })),
    ),
  );
  return all.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), []);
}

function weightOf(edits: readonly Edit[]): number {
  const weights = edits.map(({ value }) => (isObject(value) ? Object.keys(value).length : 1));
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/**
 * What a path names: `{project_id}` in `project_id`, and at the path of one item `{id}` in `id`, too.
 */
function editsOfPath(
  params: Call['params'],
  last: string | undefined,
  places: readonly Place[],
): Edit[] {
  return Object.entries(params).flatMap(([parameter, text]): Edit[] => {
    const wanted = [toPlainName(parameter), ...(/id$/i.test(parameter) ? ['id'] : [])];
    const names =
      parameter === last ? wanted : wanted.slice(0, wordsOf(parameter).length > 1 ? 1 : 0);
    for (const wantedName of names)
      for (const { at, fields, names: own } of places) {
        const name = own.get(wantedName) ?? '';
        const old = fields[name];
        if (typeof old === 'string') return [{ at, name, value: text }];
        if (typeof old === 'number' && Number.isSafeInteger(Number(text)))
          return [{ at, name, value: Number(text) }];
      }
    return [];
  });
}
