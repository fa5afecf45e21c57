import { type Fields, isNumber, isObject, stringifyExact } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { parametersIn } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { toPlainName, wordsOf } from '../../common/words.ts';
import type { Api, Operation, Schema } from '../../openapi/index.ts';
import { toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import { type Answer, bodyOf, type TextAnswer } from '../answers/answer.ts';
import { parseNumber, toByteText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import type { Call } from './behaviour.ts';

/** An object of an answer: where it is, and what its members are called, by their plain names. */
type Place = { path: readonly string[]; fields: Fields; names: ReadonlyMap<string, string> };

/**
 * Creates a step that copies values of the body and the path into an answer. Names match without
 * case and separators; values that the schema forbids are not copied.
 */
export function createEcho(
  document: Api,
  { path }: Pick<Operation, 'path'>,
  schema: Schema | undefined,
): (answer: Answer | TextAnswer, call: Call) => Answer | TextAnswer {
  const [end = ''] = /(\/[^/]*\}(\)|'\)|\.\w+)?)+\/?$/.exec(path) ?? [];
  const [segment = ''] = /[^/]*\/?$/.exec(end) ?? [];
  const named = { last: parametersIn(segment), atEnd: parametersIn(end) };
  const placesOf = oncePer((answer: Answer): Place[] => {
    const value = bodyOf(answer);
    const described = document.schemas.describeShown(schema ?? {}).properties;
    return objectsIn(value).map(([path, fields]) => {
      const [at] = path;
      const own =
        at === undefined
          ? described
          : document.schemas.describeShown(described[at] ?? {}).properties;
      return { path, fields, names: toNames(own, fields) };
    });
  });
  /** Leaves out optional members, which may contradict what was sent. */
  const onlyRequired = (fields: Fields): Fields => {
    const { required = [] } = document.schemas.describeShown(schema ?? {});
    return Object.fromEntries(Object.entries(fields).filter(([name]) => required.includes(name)));
  };
  const isValid = (value: unknown) => !schema || fits(document, schema, value);
  const kindsOf = oncePer((one: Schema) =>
    toPlainSchemas(one, document.schemas.describeShown).map(({ properties }) => properties),
  );
  /** Whether some of the alternatives have each of these members, and none has all of them. */
  const isMixed = (names: string[]) => {
    const kinds = schema ? kindsOf(schema) : [];
    const known = names.filter((name) => kinds.some((one) => Object.hasOwn(one, name)));
    return !kinds.some((one) => known.every((name) => Object.hasOwn(one, name)));
  };
  return (answer, { body, params }) => {
    const isShown = isSuccess(answer) && 'json' in answer;
    if (!isShown || (!isObject(body) && Object.keys(params).length === 0)) return answer;
    const places = placesOf(answer);
    const [whole] = places;
    const edits = [...editsOfBody(body, places), ...editsOfPath(params, named, places)];
    if (!whole || edits.length === 0) return answer;
    const edited = edits.reduce(withEdit, whole.fields);
    const hasMore = edits.some(({ path: [name = ''] }) => !Object.hasOwn(whole.fields, name));
    const alone = hasMore && isMixed(Object.keys(edited)) ? [edits.reduce(withEdit, {})] : [];
    const bare = edits.reduce(withEdit, onlyRequired(whole.fields));
    const fitting =
      [...alone, edited, bare].find(isValid) ??
      edits.reduce((value, edit) => {
        const next = withEdit(value, edit);
        return isValid(next) ? next : value;
      }, whole.fields);
    return { ...answer, json: toByteText(stringifyExact(fitting)) };
  };
}

/** Returns an object and its nested objects, each with its path. */
function objectsIn(value: unknown): [path: string[], fields: Fields][] {
  if (!isObject(value)) return [];
  const held = Object.entries(value).filter(([, one]) => isObject(one)) as [string, Fields][];
  return [[[], value], ...held.map(([name, one]): [string[], Fields] => [[name], one])];
}

type Edit = { path: readonly string[]; value: unknown };

function withEdit(fields: Fields, { path: [name = '', ...rest], value }: Edit): Fields {
  const inner =
    rest.length > 0 ? withEdit((fields[name] ?? {}) as Fields, { path: rest, value }) : value;
  return { ...fields, [name]: inner };
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
  const all = objectsIn(body).flatMap(([, sent]) => places.map((place) => editsIn(sent, place)));
  return all.reduce((best, one) => (one.length > best.length ? one : best), []);
}

/**
 * Returns the edits that an object of the body makes in an object of the answer, nested objects
 * included.
 */
function editsIn(sent: Fields, { path, fields, names }: Place): Edit[] {
  return Object.entries(asNamed(sent, names)).flatMap(([name, value]) => {
    const at = [...path, name];
    const old = fields[name];
    return isObject(old) && isObject(value)
      ? editsIn(value, { path: at, fields: old, names: toNames(old) })
      : [{ path: at, value: asOld(value, old) }];
  });
}

/** A value as the one in its place is: the number that a text writes, or the text of a number. */
function asOld(value: unknown, old: unknown): unknown {
  if (typeof old === 'string' && isNumber(value)) return String(value);
  if (typeof value !== 'string' || !isNumber(old)) return value;
  return parseNumber(value) ?? value;
}

/**
 * Returns the edits that path parameters make: `{project_id}` sets `project_id`. At the end of a
 * path, each of `{from}/{to}` sets what has its name, and `{id}`, `{petId}` and each of
 * `{base}...{head}` may set `id`, too.
 */
function editsOfPath(
  params: Call['params'],
  { last, atEnd }: Record<'last' | 'atEnd', readonly string[]>,
  places: readonly Place[],
): Edit[] {
  return Object.entries(params).flatMap(([parameter, text]): Edit[] => {
    const wanted = [toPlainName(parameter), ...(/id$/i.test(parameter) ? ['id'] : [])];
    const names = last.includes(parameter)
      ? wanted
      : wanted.slice(0, wordsOf(parameter).length > 1 || atEnd.includes(parameter) ? 1 : 0);
    for (const wantedName of names)
      for (const { path, fields, names: own } of places) {
        const name = own.get(wantedName) ?? '';
        const old = fields[name];
        const value = asOld(text, old);
        if (typeof old === 'string' || (isNumber(old) && isNumber(value)))
          return [{ path: [...path, name], value }];
      }
    return [];
  });
}
