import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { type RawDocument, resolveQuietly } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { methods } from './parts.ts';
import type { Places } from './places.ts';

/** Names that begin with a collection, by a pattern or a template: `^memos/[^/]+$`, `memos/*`. */
const nameForm = /^\^?((?:[\w.~-]+\\?\/)+)(?:\*|\[\^\\?\/\]\+)\$?$/;

/**
 * Paths that are read as others. What stands in a query is the query of a request to the path before
 * it; `/{name}` with names such as `memos/[^/]+`, or `/{name=memos/*}`, is `/memos/{name}`.
 */
export function findOtherPaths(document: RawDocument, written: Places): Fault[] {
  const { paths } = document;
  if (!isObject(paths)) return [];
  const toPlain = (one: unknown) => (isObject(one) ? resolveQuietly(document, one) : undefined);
  return Object.entries(paths).flatMap(([path, item]) => {
    const [bare = '', query] = path.split('?');
    const names = new Map(
      [...new URLSearchParams(query)].map(([name, value]) => [value.replace(/[{}]/g, ''), name]),
    );
    const holders = [item, ...Object.values(item ?? {})].filter((one) =>
      Array.isArray(one?.parameters),
    );
    const given = holders.flatMap(({ parameters }) => parameters.map(toPlain));
    const others = new Map<unknown, RawDocument>();
    const whole = bare.replace(/\{([^{}=]+)=?([^{}]*)\}/g, (found, name, template, at) => {
      const described = given.filter((one) => one?.in === 'path' && one.name === name);
      const forms = described.map(({ schema }) => template || toPlain(schema)?.pattern);
      const start = new Set(forms).size === 1 && nameForm.exec(forms[0])?.[1]?.replaceAll('\\', '');
      if (!start || bare.slice(0, at).endsWith(`/${start}`)) return found;
      // A number may only tell such paths apart, as in `/{name_1}`.
      const own = name.replace(/_\d+$/, '');
      const read = bare.includes(`{${own}}`) ? name : own;
      others.set(name, { name: read, schema: { type: 'string', example: `${start}1` } });
      return `${start}{${read}}`;
    });
    const toOther = (one: unknown) => {
      const parameter = toPlain(one);
      const other = others.get(parameter?.name);
      if (parameter?.in !== 'path') return one;
      if (other) return { ...parameter, ...other };
      if (bare.includes(`{${parameter.name}}`)) return one;
      return { ...parameter, name: names.get(parameter.name) ?? parameter.name, in: 'query' };
    };
    // All stays where it is if the path that is read has its like.
    const isTaken = [...methods, 'parameters'].some((one) => item?.[one] && paths[whole]?.[one]);
    if (whole === path || !isObject(item) || isTaken) return [];
    const pointer = `/paths/${toToken(path)}`;
    const problem = 'a path has no query; what stands there is read as query parameters';
    const mend = () => {
      written.noteAll(item, pointer);
      for (const one of holders) one.parameters = one.parameters.map(toOther);
      delete paths[path];
      paths[whole] = { ...paths[whole], ...item };
    };
    return [{ pointer, ...(query !== undefined && { problem }), mend }];
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
