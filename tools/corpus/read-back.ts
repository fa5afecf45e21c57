import {
  lastWordOf,
  shapeOf,
  withoutSlash,
} from '../../contracts/description/collections/places.ts';
import { toPlainName } from '../../contracts/description/collections/plain-name.ts';
import type { Operation } from '../../contracts/description/document.ts';
import { toTarget } from '../../mock/curl/to-target.ts';
import type { Twin } from '../../mock/twin.ts';
import { noAnswer, send } from './send.ts';
import { createToCall, toCall } from './to-call.ts';

/** How many of the ids that answers show can be read back, and what became of the others. */
export type ReadBack = {
  /** Ids that a create answered with, and those of them that are read, listed and deleted. */
  created: number;
  read: number;
  listed: { of: number; are: number };
  deleted: { of: number; are: number };
  /** Items of lists, and those of them that are read back as the same. */
  shown: number;
  same: number;
  /** Reads whose path the document shows with examples or defaults, and those that find something. */
  documented: { of: number; are: number };
  /** What is not, each with the reason. */
  lost: string[];
};

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads each id back that a create or a list answers with, at the path of the document that has a
 * parameter more. Nothing of the mock's own model is used, so this judges that too.
 */
export async function readBack(twin: Twin): Promise<ReadBack> {
  const { operations, basePath } = twin.document;
  const found: ReadBack = {
    created: 0,
    read: 0,
    listed: { of: 0, are: 0 },
    deleted: { of: 0, are: 0 },
    shown: 0,
    same: 0,
    documented: { of: 0, are: 0 },
    lost: [],
  };
  const toExample = createToCall(twin);
  const key = twin.keys[0]?.key ?? '';
  const at = (method: string, path: string) =>
    operations.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path));
  const call = async (operation: Operation, path?: Values) => {
    const { example, call: plain } = await toExample(operation);
    if (!example || !plain) return { answer: noAnswer, path: {} as Values };
    const values = { ...example.values.path, ...path };
    const { target } = path
      ? toCall(
          operation,
          {
            ...example,
            target: toTarget(operation.path, {
              path: strings(values),
              query: example.values.query,
            }),
          },
          key,
        )
      : plain;
    const answer = await send(twin.origin + basePath, { ...plain, target });
    return { answer, path: values };
  };
  for (const read of operations) {
    const [, whole = '', parameter = ''] = /^(.*)\/\{([^{}/]+)\}\/?$/.exec(read.path) ?? [];
    if (read.method !== 'GET' || parameter === '') continue;
    const noun = toPlainName(lastWordOf(whole));
    const names = idNames(parameter, noun);
    const shown = shownPath(read);
    if (shown) {
      const { answer } = await call(read, shown);
      found.documented.of += 1;
      if (answer.status < 300) found.documented.are += 1;
      else found.lost.push(`${read.id}: ${answer.status} for ${Object.values(shown)}`);
    }
    const readOne = async (id: unknown, path: Values) => {
      const { answer } = await call(read, { ...path, [parameter]: id });
      const values = idsIn(parse(answer.text), names, noun);
      return {
        ok: answer.status === 200,
        same: values.some((one) => String(one) === String(id)),
        status: answer.status,
        shows: values,
      };
    };
    const list = at('GET', whole);
    const create = at('POST', whole);
    const remove = at('DELETE', read.path);
    if (list) {
      const { answer, path } = await call(list);
      for (const item of itemsIn(parse(answer.text)).slice(0, 3)) {
        const [id] = idsIn(item, names, noun);
        if (id === undefined) continue;
        found.shown += 1;
        const back = await readOne(id, mapNames(list.path, read.path, path));
        if (back.ok && (back.same || back.shows.length === 0)) found.same += 1;
        else
          found.lost.push(
            `${list.id}: listed ${id}, ${read.id} ${back.status} ${back.shows.slice(0, 2)}`,
          );
      }
    }
    if (!create) continue;
    const { answer, path } = await call(create);
    const [id] = idsIn(parse(answer.text), names, noun);
    if (answer.status < 200 || answer.status > 299 || id === undefined) continue;
    const inner = mapNames(create.path, read.path, path);
    found.created += 1;
    const back = await readOne(id, inner);
    if (back.ok && (back.same || back.shows.length === 0)) found.read += 1;
    else {
      found.lost.push(
        `${create.id}: created ${id}, ${read.id} ${back.status} ${back.shows.slice(0, 2)}`,
      );
      continue;
    }
    if (list) {
      const { answer: all } = await call(list, mapNames(create.path, list.path, path));
      const items = itemsIn(parse(all.text));
      if (all.status === 200 && items.length > 0) {
        found.listed.of += 1;
        if (items.some((one) => idsIn(one, names, noun).some((own) => String(own) === String(id))))
          found.listed.are += 1;
        else
          found.lost.push(`${create.id}: created ${id}, not among ${items.length} of ${list.id}`);
      }
    }
    if (remove) {
      found.deleted.of += 1;
      const gone = await call(remove, {
        ...mapNames(read.path, remove.path, inner),
        [parameterOf(remove.path)]: id,
      });
      const after = await readOne(id, inner);
      if (gone.answer.status < 300 && gone.answer.status >= 200 && !after.ok)
        found.deleted.are += 1;
      else found.lost.push(`${remove.id}: ${gone.answer.status}, then ${read.id} ${after.status}`);
    }
  }
  return found;
}

/** The values of the parameters of a path that the document shows; undefined where it lacks one. */
function shownPath({ parameters }: Operation): Values | undefined {
  const all = parameters.filter((one) => one.in === 'path');
  const entries = all.map(({ name, schema, examples }) => {
    const [example = schema.example ?? schema.default] = Object.values(examples);
    return [name, example] as const;
  });
  return entries.every(([, value]) => value !== undefined)
    ? Object.fromEntries(entries)
    : undefined;
}

function parameterOf(path: string): string {
  return withoutSlash(path).match(/\{([^{}]+)\}$/)?.[1] ?? '';
}

/** The values of the parameters of one path, by the names that another has for them. */
function mapNames(from: string, to: string, values: Values): Values {
  const names = (path: string) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const own = names(from);
  return Object.fromEntries(
    names(to).flatMap((name, index) => {
      const value = values[own[index] ?? ''];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function strings(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The names that the property of an id may have, without separators. */
function idNames(parameter: string, noun: string): Set<string> {
  const plain = toPlainName(parameter);
  const nouns = [noun, noun.replace(/s$/, ''), noun.replace(/es$/, ''), noun.replace(/ies$/, 'y')];
  const bare = nouns
    .filter((one) => one !== '' && plain.startsWith(one))
    .map((one) => plain.slice(one.length));
  const common = bare.some((one) => one !== '') ? bare.filter((one) => one !== '') : [];
  return new Set([plain, ...common, ...(/id$/.test(plain) ? ['id'] : [])]);
}

/** The values by which an object is named, or what it holds, what is called like the item first. */
function idsIn(value: unknown, names: ReadonlySet<string>, noun: string, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const [, one] =
    Object.entries(value).find(
      ([name, held]) => typeof held === 'object' && isCalled(toPlainName(name), noun),
    ) ?? [];
  if (one && depth === 0) return idsIn(one, names, noun, 1);
  const own = Object.entries(value).flatMap(([name, held]) =>
    names.has(toPlainName(name)) && ['string', 'number'].includes(typeof held) ? [held] : [],
  );
  const held = depth > 1 ? [] : Object.values(value);
  return [...own, ...held.flatMap((inner) => idsIn(inner, names, noun, depth + 1))];
}

/** Whether a name is a noun, or the singular or the plural of it. */
function isCalled(name: string, noun: string): boolean {
  const short = (word: string) => word.replace(/(ies|es|s|y)$/, '');
  return name !== '' && short(name) === short(noun);
}

/** The objects of the first list in an answer. */
function itemsIn(value: unknown, depth = 0): unknown[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'object' && one !== null);
  if (typeof value !== 'object' || value === null || depth > 2) return [];
  for (const one of Object.values(value)) {
    const items = itemsIn(one, depth + 1);
    if (items.length > 0) return items;
  }
  return [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
