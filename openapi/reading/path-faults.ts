import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { parametersIn } from '../../common/path-template.ts';
import { textOf } from '../../common/text-of.ts';
import { singular } from '../../common/words.ts';
import { type RawDocument, resolveQuietly } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { describedParameters, methods } from './parts.ts';
import type { Places } from './places.ts';

/**
 * Reads the segments of names that begin with a collection, by a pattern or a template:
 * `^shelves/[^/]+/books/[^/]+$` and `shelves/*\/books/*`. Undefined for others.
 */
function toNameForm(written: unknown): string[] | undefined {
  const plain = textOf(written)
    ?.replaceAll(/\[\^\\?\/\]\+/g, '*')
    .replaceAll('\\/', '/')
    .replaceAll(/^\^|\$$/g, '');
  const isForm = plain !== undefined && /^[\w.~-]+\/(?:(?:[\w.~-]+|\*)\/)*\*$/.test(plain);
  return isForm ? plain.split('/') : undefined;
}

/**
 * Finds paths that are read in another form. A query in a path belongs to the requests of the path
 * before it. `/{name}` with names such as `memos/[^/]+`, and `/{name=memos/*}`, become
 * `/memos/{name}`; those of several levels have a parameter for each. Router syntax such as `:name` and the styles `label` and `matrix` are converted.
 */
export function findOtherPaths(document: RawDocument, written: Places): Fault[] {
  const { paths } = document;
  if (!isObject(paths)) return [];
  const toPlain = (one: unknown) => resolveQuietly(document, one);
  /** The fields of the paths that others are read as. */
  const read = new Map<string, Set<string>>();
  return Object.entries(paths).flatMap(([path, item]) => {
    const holders = [item, ...Object.values(item ?? {})].filter((one) =>
      Array.isArray(one?.parameters),
    );
    const given = holders.flatMap(({ parameters }) => parameters.map(toPlain));
    const plain = withPlainNames(path, given);
    const [bare = '', query] = plain.replace(/#.*/, '').split('?');
    const names = new Map(
      [...new URLSearchParams(query)].map(([name, value]) => [value.replace(/[{}]/g, ''), name]),
    );
    const others = new Map<unknown, RawDocument>();
    /** The parameters of the levels above names, by the names of those. */
    const above = new Map<unknown, readonly string[]>();
    const whole = bare.replace(/\{([^{}=]+)=?([^{}]*)\}/g, (found, name, template, at) => {
      const described = given.filter((one) => one?.in === 'path' && one.name === name);
      const { style, explode, schema: first } = described[0] ?? {};
      const hasParts = [toPlain(first)?.type]
        .flat()
        .some((one) => one === 'array' || one === 'object');
      const isLabel = style === 'label';
      // Each part of an exploded one has its name.
      if (isLabel || (style === 'matrix' && !(explode && hasParts))) {
        others.set(name, { style: isLabel && hasParts ? 'dotDelimited' : 'simple' });
        return (isLabel ? '.' : `;${name}=`) + found;
      }
      const forms = described.map(({ schema }) => template || toPlain(schema)?.pattern);
      const form = new Set(forms).size === 1 ? toNameForm(forms[0])?.slice(0, -1) : undefined;
      if (!form || bare.slice(0, at).endsWith(`/${form.join('/')}/`)) return found;
      // A number may only tell such paths apart, as in `/{name_1}`.
      const own = name.replace(/_\d+$/, '');
      const read = bare.includes(`{${own}}`) ? name : own;
      const levels = form.map((one, index) =>
        one === '*' ? `{${singular(form[index - 1] ?? '')}}` : one,
      );
      const example = [...form, ''].join('/').replaceAll('*', '1');
      others.set(name, { name: read, schema: { type: 'string', example: `${example}1` } });
      above.set(name, levels.flatMap(parametersIn));
      return [...levels, `{${read}}`].join('/');
    });
    const toOther = (one: unknown) => {
      const parameter = toPlain(one);
      const other = others.get(parameter?.name);
      if (parameter?.in !== 'path') return one;
      if (other) return { ...parameter, ...other };
      if (hasSlashes(path, parameter.name)) return { ...parameter, allowReserved: true };
      if (bare.includes(`{${parameter.name}}`)) return one;
      return { ...parameter, name: names.get(parameter.name) ?? parameter.name, in: 'query' };
    };
    // All stays where it is if the path that is read has its like.
    const fields = [...methods, 'parameters'].filter((one) => item?.[one]);
    const isTaken =
      query === undefined && fields.some((one) => paths[whole]?.[one] || read.get(whole)?.has(one));
    if (whole === path || !isObject(item) || (isTaken && !plain.includes('#'))) return [];
    const pointer = `/paths/${toToken(path)}`;
    if (isTaken) {
      const problem = `no request can tell it from "${whole}"; it is left out`;
      return [{ pointer, problem, mend: removal(paths, path) }];
    }
    read.set(whole, (read.get(whole) ?? new Set()).union(new Set(fields)));
    const problem =
      query === undefined
        ? `it is read as "${whole}"`
        : 'a path has no query; what stands there is read as query parameters';
    const mend = () => {
      written.noteAll(item, pointer);
      for (const one of holders)
        one.parameters = one.parameters.flatMap((given: unknown) => [
          ...(above.get(toPlain(given)?.name) ?? []).map(toText),
          toOther(given),
        ]);
      delete paths[path];
      paths[whole] = joinPaths(paths[whole], item, toPlain);
    };
    return [{ pointer, ...(bare !== path && { problem }), mend }];
  });
}

/** A parameter of a path that may be any text. */
function toText(name: string): RawDocument {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

type ToPlain = (one: unknown) => RawDocument | undefined;

/** Joins what paths describe that are read as one: they differ in methods, or in their queries. */
function joinPaths(
  own: RawDocument | undefined,
  other: RawDocument,
  toPlain: ToPlain,
): RawDocument {
  if (!own) return other;
  const { parameters: _, ...joined }: RawDocument = { ...own, ...other };
  const parametersOf = (one: RawDocument, method: string): RawDocument[] =>
    [...(one.parameters ?? []), ...(one[method].parameters ?? [])].map(toPlain).filter(isObject);
  for (const method of methods.filter((one) => joined[one])) {
    const found = [own, other].filter((one) => one[method]);
    const lists = found.map((one) => parametersOf(one, method));
    const byPlace = Map.groupBy(lists.flat(), (one) => `${one.in} ${one.name}`);
    // A request has the query of the one or of the other.
    const parameters = [...byPlace.values()].map(([first, ...again]) => {
      const isChoice = first?.in === 'query' && again.length + 1 < found.length;
      return isChoice ? { ...first, required: false } : first;
    });
    joined[method] = { ...found[0]?.[method], parameters };
  }
  return joined;
}

/** Writes parameters of a path in braces alone: `:name`, `<name>`, `{ name }` and `{name:[a-z]+}`. */
function withPlainNames(path: string, given: readonly (RawDocument | undefined)[]): string {
  const described = given.flatMap((one) => (one?.in === 'path' ? textOf(one.name) : []));
  const undescribed = path.matchAll(/\/:(\w+)(?![^/])|<(?:\w+:)?(\w+)>/g);
  const names = new Set([...described, ...[...undescribed].map(([, one, two = '']) => one ?? two)]);
  const isName = (found: string) => found.startsWith('{') && names.has(found.slice(1, -1));
  const others = path.replace(/\{[^{}]*\}/g, (found) => (isName(found) ? '' : found));
  if (!/[{<:]/.test(others)) return path;
  return [...names].reduce((text, name) => {
    const own = RegExp.escape(name);
    const inBraces = `\\{[^{}\\w]*${own}(?![\\w=-])[^{}]*\\}`;
    const written = new RegExp(`${inBraces}|<(?:\\w+:)?${own}>|(?<=/):${own}(?![\\w-])`, 'g');
    return text.replace(written, (found) => (isName(found) ? found : `{${name}}`));
  }, withoutPatterns(path));
}

/** Whether a router lets a parameter have slashes: `{name+}`, `{name*}`, `{*name}`, `{name:path}`, `{name:.*}`. */
function hasSlashes(path: string, name: unknown): boolean {
  const own = RegExp.escape(textOf(name));
  return new RegExp(`\\{(\\*${own}|${own}(:?\\.?[+*]|:path))\\}`).test(path);
}

/** Leaves out the regular expressions of parameters: `/{id:[0-9]{4}}` is `/{id}`. */
export function withoutPatterns(path: string): string {
  return path.replace(/(?<=\{[^{}:]+):(?:[^{}]|\{[^{}]*\})*(?=\})/g, '');
}

/** Parameters that a path has and no one describes, and those that are described and no path has. */
export function findUndescribed(document: RawDocument): Fault[] {
  const { paths } = document;
  return Object.entries<RawDocument>(isObject(paths) ? paths : {}).flatMap(([path, item]) => {
    if (!isObject(item) || path.startsWith('x-') || path.includes('}{') || item.$ref) return [];
    const inPath = parametersIn(path);
    const pointer = `/paths/${toToken(path)}`;
    const described = describedParameters(item, document).filter(
      ({ parameter }) => parameter.in === 'path' && parameter.name !== undefined,
    );
    const holders = [item, ...methods.map((method) => item[method])].filter(isObject);
    const [isShared, ...areIn] = holders.map(
      (one) => (name: string) =>
        described.some(({ holder, parameter }) => holder === one && parameter.name === name),
    );
    const missing = inPath.filter((name) => !isShared?.(name) && areIn.some((isIn) => !isIn(name)));
    return [
      ...missing.map((name) => ({
        pointer,
        problem: `no parameter describes {${name}}; it may be any text`,
        mend: () => {
          const own = { name, in: 'path', required: true, schema: {} };
          item.parameters = [...(item.parameters ?? []), own];
        },
      })),
      ...described
        .filter(({ parameter }) => !inPath.includes(parameter.name))
        .map(({ parameter, holder, at, index }) => ({
          pointer: `${pointer}${at}/parameters/${index}`,
          problem: `the path has no {${textOf(parameter.name)}}; it is left out`,
          mend: removal(holder.parameters, index),
        })),
    ];
  });
}

/** Operations whose paths differ in the names of their parameters only. */
export function findSamePaths({ paths }: RawDocument): Fault[] {
  if (!isObject(paths)) return [];
  const taken = new Map<string, string>();
  return Object.entries(paths).flatMap(([path, item]) => {
    const template = path.replace(/\{[^{}]*\}/g, '{}');
    return methods.flatMap((method) => {
      if (!isObject(item) || item[method] === undefined) return [];
      const first = taken.get(`${method} ${template}`);
      taken.set(`${method} ${template}`, first ?? path);
      if (first === undefined) return [];
      const pointer = `/paths/${toToken(path)}/${method}`;
      const problem = `no request can tell it from that of "${first}"; it is left out`;
      return [{ pointer, problem, mend: removal(item, method) }];
    });
  });
}
