import type { Parameter } from '../../../contracts/description/document.ts';
import {
  type Shape,
  type TextTree,
  toAssignedMembers,
  toDeepMembers,
  toMembers,
} from './text-tree.ts';

/** Where the parameters of a request are, as they were sent. */
export type Sources = {
  /** The query without its question mark. */
  query: string | undefined;
  queryPairs: RawPairs;
  cookies: RawPairs;
  /** The text of a path parameter, still encoded. */
  inPath: (name: string) => string | undefined;
  inHeader: (name: string) => string | undefined;
};

/** What was written of a parameter, or why that cannot be read; neither where it is missing. */
export type Written = { tree?: TextTree; problem?: string };

/** Reads a parameter as text, a list or an object. */
export type ReadWritten = (sources: Sources, shape: Shape) => Written;

type Decode = (raw: string) => string | undefined;

const undecodable: Written = { problem: 'is not valid percent-encoded UTF-8' };
const once: Written = { problem: 'must be given once' };

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
    return ({ query }) => (query === undefined ? {} : toText(query, decodePercent));
  if (place === 'path') {
    return ({ inPath }, shape) => {
      const raw = inPath(name);
      if (raw === undefined) return {};
      return readSimple(parameter, raw, content ? 'text' : shape, decodePercent);
    };
  }
  if (place === 'header')
    return ({ inHeader }, shape) => {
      const text = inHeader(name);
      if (text === undefined) return {};
      return content ? { tree: text } : readSimple(parameter, text, shape, (raw) => raw.trim());
    };
  const decode: Decode =
    place === 'query' ? decodeQuery : style === 'cookie' ? (raw) => raw : decodePercent;
  const pairsOf = ({ queryPairs, cookies }: Sources) => (place === 'query' ? queryPairs : cookies);
  if (style === 'deepObject') return (sources) => readDeep(name, pairsOf(sources), decode);
  const options = { parameter, decode, isMember };
  return (sources, shape) => readForm(pairsOf(sources), content ? 'text' : shape, options);
}

function toText(raw: string, decode: Decode): Written {
  const tree = decode(raw);
  return tree === undefined ? undecodable : { tree };
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
): Written {
  if (shape === 'object' && explode) {
    const members = pairs
      .filter(([key]) => isMember(key))
      .map(([key, raw]) => [key, decode(raw)] as const);
    if (members.some(([, text]) => text === undefined)) return undecodable;
    return members.length === 0 ? {} : { tree: gather(members as [string, string][]) };
  }
  const raws = pairs.filter(([key]) => key === name).map(([, raw]) => raw);
  if (raws.length === 0) return {};
  if (shape === 'list' && explode) return readList(raws, decode);
  if (raws.length > 1) return once;
  const [raw] = raws as [string];
  return shape === 'text' ? toText(raw, decode) : readParts(splitAt(raw, style), shape, decode);
}

/** What was written once is a text, the rest a list. */
function gather(members: readonly (readonly [string, string])[]): TextTree {
  const byName = Map.groupBy(members, ([key]) => key);
  return Object.fromEntries(
    [...byName].map(([key, all]) => {
      const texts = all.map(([, text]) => text);
      return [key, texts.length === 1 ? (texts[0] as string) : texts];
    }),
  );
}

/**
 * An encoded comma is a part's own, unless there is no other: many clients encode all that they
 * send.
 */
function splitAt(raw: string, style: string): string[] {
  if (style === 'spaceDelimited') return raw.split(/%20|\+| /);
  if (style === 'pipeDelimited') return raw.split(/\||%7C/i);
  return raw.includes(',') ? raw.split(',') : raw.split(/%2C/i);
}

function readList(raws: readonly string[], decode: Decode): Written {
  if (raws.length === 1 && raws[0] === '') return { tree: [] };
  const texts = raws.map(decode);
  return texts.includes(undefined) ? undecodable : { tree: texts as string[] };
}

function readParts(raws: readonly string[], shape: Shape, decode: Decode): Written {
  const { tree, problem } = readList(raws, decode);
  if (problem !== undefined || shape === 'list')
    return { ...(tree && { tree }), ...(problem && { problem }) };
  const members = toMembers(tree as string[]);
  return members ? { tree: members } : { problem: 'must be names and values in turn' };
}

function readDeep(name: string, pairs: RawPairs, decode: Decode): Written {
  const entries = pairs.filter(([key]) => key.startsWith(`${name}[`));
  if (entries.length === 0) return pairs.some(([key]) => key === name) ? inBrackets(name) : {};
  const texts = entries.map(([key, raw]) => [key.slice(name.length), decode(raw)] as const);
  if (texts.some(([, text]) => text === undefined)) return undecodable;
  const tree = toDeepMembers(texts as [string, string][]);
  return tree ? { tree } : inBrackets(name);
}

function inBrackets(name: string): Written {
  return { problem: `must be written as ${name}[member]=value` };
}

function readSimple(
  { explode }: Pick<Parameter, 'explode'>,
  raw: string,
  shape: Shape,
  decode: Decode,
): Written {
  if (shape === 'text') return toText(raw, decode);
  const parts = splitAt(raw, 'simple');
  return explode ? readExploded(parts, shape, decode) : readParts(parts, shape, decode);
}

/** Parts of which each is an item, or a member such as `a=1`. */
function readExploded(parts: readonly string[], shape: Shape, decode: Decode): Written {
  const { tree, problem } = readList(parts, decode);
  if (problem !== undefined) return { problem };
  if (shape === 'list') return { tree: tree as TextTree };
  const members = toAssignedMembers(tree as string[]);
  return members ? { tree: members } : { problem: 'must be members such as name=value' };
}

/** The names of a query or of cookies, decoded, each with its value as it was sent. */
export type RawPairs = readonly (readonly [name: string, raw: string])[];

/** The parts of a query; undefined where a name is not valid percent-encoded UTF-8. */
export function toQueryPairs(query: string): RawPairs | undefined {
  const pairs: [string, string][] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodeQuery(at === -1 ? pair : pair.slice(0, at));
    if (name === undefined) return undefined;
    pairs.push([name, at === -1 ? '' : pair.slice(at + 1)]);
  }
  return pairs;
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

/** A part of a query as it was meant; undefined where it is not valid percent-encoded UTF-8. */
export function decodeQuery(raw: string): string | undefined {
  return decodePercent(raw.replaceAll('+', ' '));
}

/** Decodes percent-encoding; undefined where it is not valid UTF-8. */
export function decodePercent(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
