import { isUtf8 } from 'node:buffer';
import { toToken } from '../../../common/json-pointer.ts';
import { fitsRange, isJsonMedia, toEssence } from '../../../common/media-type.ts';
import type { Api, Content, Encoding, Schema } from '../../../openapi/index.ts';
import { parseExact } from '../../json/exact-json.ts';
import type { Problem } from '../../json/validator.ts';
import {
  decodeQuery,
  type RawPairs,
  splitAt,
  toDeepMembers,
  toPairs,
} from '../parameters/read-written.ts';
import { type ToTyped, typesIn } from '../parameters/typed-value.ts';

/**
 * Makes an object of the fields of a form, percent-encoded as in a query, and of values that are read
 * already; undefined where a name is a text and has members.
 */
export type ToFormValue = (
  fields: RawPairs,
  values?: readonly (readonly [name: string, value: unknown])[],
) => Record<string, unknown> | undefined;

/**
 * Creates a reader of form fields by the types of a schema. Lists repeat a name, or use brackets or
 * the delimiter of their style; objects may also be JSON.
 */
export function createToFormValue(
  document: Api,
  { schema = {}, encoding }: Pick<Content, 'schema' | 'encoding'>,
  toTyped: ToTyped,
): ToFormValue {
  const { properties } = document.schemas.describeSchema(schema);
  const typesOf = typesIn(document);
  const isJoined = (name: string, type: string) => {
    const { style = 'form', explode = style === 'form' } = encoding[name] ?? {};
    return !explode && style !== 'deepObject' && typesOf(propertySchema(name)).has(type);
  };
  const split = (name: string, raw: string): (readonly [brackets: string, raw: string])[] => {
    const key = `[${name.replaceAll('[', '\0').replaceAll(']', '\u0001')}]`;
    const parts = () => splitAt(raw, encoding[name] ?? {});
    if (isJoined(name, 'array')) return parts().map((part) => [key, part]);
    const isJson = /^(\{|%7B)/i.test(raw);
    const members = isJoined(name, 'object') && !isJson ? toPairs(parts()) : undefined;
    return (
      members?.map(([member, part]) => [`${key}[${decodeQuery(member)}]`, part]) ?? [[key, raw]]
    );
  };
  return (fields, values = []) => {
    const entries = fields.flatMap(([name, raw]) => {
      const isWhole = Object.hasOwn(properties, name) || !/^[^[]+\[.*\]$/.test(name);
      return isWhole ? split(name, raw) : [[name.replace(/^[^[]+/, '[$&]'), raw] as const];
    });
    const tree = toDeepMembers(entries.map(([key, raw]) => [key, decodeQuery(raw)]));
    if (tree === undefined) return undefined;
    const members = Object.entries(tree).map(([key, inner]) => {
      const name = key.replaceAll('\0', '[').replaceAll('\u0001', ']');
      const given = inner === '' && isJoined(name, 'array') ? [] : inner;
      return [name, toTyped(propertySchema(name), given)] as const;
    });
    return Object.fromEntries([...members, ...gather(values)]);
  };

  function propertySchema(name: string): Schema {
    return Object.hasOwn(properties, name) ? (properties[name] as Schema) : {};
  }

  /** Joins the values of a name in a list, unless there is one and the schema wants no list. */
  function gather(values: readonly (readonly [string, unknown])[]): [string, unknown][] {
    const byName = Map.groupBy(values, ([name]) => name);
    return [...byName].map(([name, all]) => {
      const given = all.map(([, value]) => value);
      const isList = given.length > 1 || typesOf(propertySchema(name)).has('array');
      return [name, isList ? given : given[0]];
    });
  }
}

/** The parts of a multipart form: texts, the contents of files, and files of a wrong media type. */
export type MultipartForm = {
  texts: [name: string, text: string][];
  values: [name: string, value: unknown][];
  problems: Problem[];
};

/**
 * Reads a multipart form (RFC 7578) of bytes that are in memory already; undefined where they are
 * none. A file is JSON where its media type says so, else a text; one that is no UTF-8 in base64.
 */
export async function readMultipart(
  bytes: Buffer,
  contentType: string,
  encoding: Readonly<Record<string, Encoding>>,
): Promise<MultipartForm | undefined> {
  const form: MultipartForm = { texts: [], values: [], problems: [] };
  let data: FormData;
  try {
    const headers = { 'Content-Type': contentType };
    data = await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  for (const [name, part] of data) {
    if (typeof part === 'string') {
      form.texts.push([name, part]);
      continue;
    }
    const problem = typeProblem(part.type, encoding[name]?.contentType);
    if (problem !== undefined)
      form.problems.push({ pointer: `/${toToken(name)}`, problem: `"${name}" ${problem}.` });
    form.values.push([name, toValue(Buffer.from(await part.arrayBuffer()), part.type)]);
  }
  return form;
}

function typeProblem(type: string, allowed: string | undefined): string | undefined {
  const ranges = allowed?.split(',').map((range) => toEssence(range)) ?? [];
  if (ranges.length === 0 || ranges.some((range) => fitsRange(toEssence(type), range)))
    return undefined;
  return `must be sent as ${ranges.join(' or ')}, but is ${type === '' ? 'without a media type' : type}`;
}

function toValue(bytes: Buffer, type: string): unknown {
  if (!isUtf8(bytes)) return bytes.toString('base64');
  const text = bytes.toString('utf8');
  if (!isJsonMedia(toEssence(type))) return text;
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
