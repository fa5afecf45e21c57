import { unescaped } from '../../../common/path-template.ts';
import type { Parameter } from '../../../openapi/index.ts';

/** A parameter as it was written: a text, a list, or members by their names. */
export type TextTree = string | readonly TextTree[] | { readonly [name: string]: TextTree };

/** Names a way to read a parameter; alternatives of its schema may allow several. */
export type Shape = 'text' | 'list' | 'object';

/** Holds the parameters of a request as they were sent. */
export type Sources = {
  /** The query without its question mark. */
  query: string | undefined;
  queryPairs: RawPairs;
  cookies: RawPairs;
  /** The text of a path parameter, still encoded. */
  inPath: (name: string) => string | undefined;
  inHeader: (name: string) => string | undefined;
};

/** Holds a parameter as written, or the problem in reading it; neither if it is missing. */
export type WrittenParameter = { tree?: TextTree; problem?: string };

/** Reads a parameter as text, a list or an object. */
export type ReadWritten = (sources: Sources, shape: Shape) => WrittenParameter;

type Decode = (raw: string) => string;

const once: WrittenParameter = { problem: 'must be given once' };

/**
 * Makes the reader of a parameter by its place and style; `isMember` tells which names of a query
 * are members of it, where each is written as a parameter of its own.
 */
export function createReadWritten(
  parameter: Parameter,
  isMember: (name: string) => boolean,
): ReadWritten {
  const { name, in: place, style, content } = parameter;
  if (place === 'querystring')
    return ({ query }) => (query === undefined ? {} : { tree: unescaped(query) });
  if (place === 'path') {
    return ({ inPath }, shape) => {
      const raw = inPath(name);
      if (raw === undefined) return {};
      if (style === 'matrix') return readMatrix(parameter, raw, shape);
      return readSimple(parameter, raw, content ? 'text' : shape, unescaped);
    };
  }
  if (place === 'header')
    return ({ inHeader }, shape) => {
      const text = inHeader(name);
      if (text === undefined) return {};
      return content ? { tree: text } : readSimple(parameter, text, shape, (raw) => raw.trim());
    };
  const decode: Decode =
    place === 'query' ? decodeQuery : style === 'cookie' ? (raw) => raw : unescaped;
  const pairsOf = ({ queryPairs, cookies }: Sources) => (place === 'query' ? queryPairs : cookies);
  if (style === 'deepObject') return (sources) => readDeep(name, pairsOf(sources), decode);
  const options = { parameter, decode, isMember };
  return (sources, shape) => readForm(pairsOf(sources), content ? 'text' : shape, options);
}

type FormOptions = {
  parameter: Parameter;
  decode: Decode;
  isMember: (name: string) => boolean;
};

function readForm(
  pairs: RawPairs,
  shape: Shape,
  { parameter: { name, style, explode }, decode, isMember }: FormOptions,
): WrittenParameter {
  if (shape === 'object' && explode) {
    const members = pairs
      .filter(([key]) => isMember(key))
      .map(([key, raw]) => [key, decode(raw)] as const);
    return members.length === 0 ? {} : { tree: gather(members) };
  }
  const raws = pairs.filter(([key]) => key === name).map(([, raw]) => raw);
  if (raws.length === 0) return {};
  if (shape === 'list' && explode) return { tree: readList(raws, decode) };
  if (raws.length > 1) return once;
  const [raw] = raws as [string];
  return shape === 'text'
    ? { tree: decode(raw) }
    : readParts(splitAt(raw, { style }), shape, { decode, explode: false });
}

/** Groups texts by name: one text alone, several as a list. */
function gather(members: readonly (readonly [string, string])[]): TextTree {
  const byName = Map.groupBy(members, ([key]) => key);
  return Object.fromEntries(
    [...byName].map(([key, all]) => {
      const texts = all.map(([, text]) => text);
      return [key, texts.length === 1 ? (texts[0] as string) : texts];
    }),
  );
}

const delimiters: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /\||%7C/i,
  tabDelimited: /%09|\t/,
};

/**
 * Splits a list or an object as its style says, before it is decoded. An encoded comma is a part's
 * own, unless there is no other: many clients encode all that they send. Versions of OpenAPI differ
 * in whether dots or commas separate what stands behind a dot.
 */
export function splitAt(
  raw: string,
  { style, explode }: Pick<Partial<Parameter>, 'style' | 'explode'>,
): string[] {
  if (style === 'dotDelimited' && (explode || !/,|%2C/i.test(raw))) return raw.split('.');
  return raw.split(delimiters[style ?? ''] ?? (raw.includes(',') ? ',' : /%2C/i));
}

function readList(raws: readonly string[], decode: Decode): string[] {
  return raws.length === 1 && raws[0] === '' ? [] : raws.map(decode);
}

/** Reads the items of a list, or the members of an object: `a=1` where it is exploded, else `a` and `1`. */
function readParts(
  raws: readonly string[],
  shape: Shape,
  { decode, explode }: { decode: Decode; explode: boolean },
): WrittenParameter {
  const texts = readList(raws, decode);
  if (shape === 'list') return { tree: texts };
  const tree = explode ? toAssignedMembers(texts) : toMembers(texts);
  const expected = explode ? 'members such as name=value' : 'names and values in turn';
  return tree ? { tree } : { problem: `must be ${expected}` };
}

function readDeep(name: string, pairs: RawPairs, decode: Decode): WrittenParameter {
  const entries = pairs.filter(([key]) => key.startsWith(`${name}[`));
  if (entries.length === 0) return pairs.some(([key]) => key === name) ? inBrackets(name) : {};
  const tree = toDeepMembers(entries.map(([key, raw]) => [key.slice(name.length), decode(raw)]));
  return tree ? { tree } : inBrackets(name);
}

function inBrackets(name: string): WrittenParameter {
  return { problem: `must be written as ${name}[member]=value` };
}

/**
 * Reads parts such as `;id=1;id=2` or `;from=1;to=2`, which are written as cookies are. Many clients
 * encode all that they send.
 */
function readMatrix(parameter: Parameter, raw: string, shape: Shape): WrittenParameter {
  const text = raw.startsWith(';') ? raw : raw.replace(/%3B/gi, ';').replace(/%3D/gi, '=');
  const pairs = toCookiePairs(text).map(([key, value]) => [unescaped(key), value] as const);
  if (!text.startsWith(';') || pairs.length === 0)
    return { problem: 'must be written as ;name=value' };
  return readForm(pairs, shape, { parameter, decode: unescaped, isMember: () => true });
}

function readSimple(
  { style, explode }: Parameter,
  raw: string,
  shape: Shape,
  decode: Decode,
): WrittenParameter {
  if (shape === 'text') return { tree: decode(raw) };
  const parts = splitAt(raw, { style, explode });
  return readParts(parts, shape, { decode, explode });
}

/** The names of a query or of cookies, decoded, each with its value as it was sent. */
export type RawPairs = readonly (readonly [name: string, raw: string])[];

/** Splits a query or form; undefined if it is not valid percent-encoded UTF-8. */
export function toQueryPairs(query: string): RawPairs | undefined {
  try {
    return query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...rest] = pair.split('=');
        const raw = rest.join('=');
        decodeURIComponent(raw);
        return [decodeURIComponent(name.replaceAll('+', ' ')), raw];
      });
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The cookies of a Cookie header (RFC 6265 §4.2.1). */
export function toCookiePairs(header: string): RawPairs {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    if (at === -1) return [];
    const value = part.slice(at + 1).trim();
    return [[part.slice(0, at).trim(), value.replace(/^"(.*)"$/s, '$1')] as const];
  });
}

/** A part of a query as it was meant. */
export function decodeQuery(raw: string): string {
  return unescaped(raw.replaceAll('+', ' '));
}

/** The members that a list of names and values in turn gives; undefined where it has an odd end. */
function toMembers(parts: readonly string[]): TextTree | undefined {
  const pairs = toPairs(parts);
  return pairs && Object.fromEntries(pairs);
}

/** Returns pairs of names and values that are written in turn; undefined where there is an odd end. */
export function toPairs(parts: readonly string[]): [name: string, text: string][] | undefined {
  if (parts.length % 2 === 1) return undefined;
  const names = parts.filter((_, at) => at % 2 === 0);
  return names.map((name, at) => [name, parts[at * 2 + 1] as string]);
}

/** The members that texts such as `a=1` give; undefined where one has no equals sign. */
function toAssignedMembers(parts: readonly string[]): TextTree | undefined {
  if (parts.some((part) => !part.includes('='))) return undefined;
  return Object.fromEntries(
    parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
}

type Branch = Map<string, Branch | string[]>;

/**
 * The members that names such as `filter[a][b]` give, where `entries` have the part in brackets;
 * undefined where one is a text and has members, or is deeper than 21 levels.
 */
export function toDeepMembers(
  entries: readonly (readonly [brackets: string, text: string])[],
): TextTree | undefined {
  const root: Branch = new Map();
  for (const [brackets, text] of entries) {
    if (!/^(\[[^[\]]*\]){1,21}$/.test(brackets)) return undefined;
    const keys = brackets.slice(1, -1).split('][');
    const isList = keys.at(-1) === '' && keys.length > 1;
    if (isList) keys.pop();
    const last = keys.pop() as string;
    let branch: Branch | string[] = root;
    for (const key of keys) {
      if (!branch.has(key)) branch.set(key, new Map());
      const next: Branch | string[] | undefined = branch.get(key);
      if (!(next instanceof Map)) return undefined;
      branch = next;
    }
    const texts = branch.get(last);
    if (texts instanceof Map) return undefined;
    if (texts) texts.push(text);
    else branch.set(last, [text]);
  }
  return toTree(root);
}

function toTree(branch: Branch): TextTree {
  const entries = [...branch].map(([name, inner]) => {
    if (inner instanceof Map) return [name, toTree(inner)] as const;
    return [name, inner.length === 1 ? (inner[0] as string) : inner] as const;
  });
  return Object.fromEntries(entries);
}
