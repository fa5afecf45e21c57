import { didYouMean } from '../../../common/cli/nearest-name.ts';
import { stringifyExact } from '../../../common/json.ts';
import { oncePer } from '../../../common/once-per.ts';
import type { Api, Resource } from '../../../openapi/index.ts';
import { listRulesOf } from '../../../openapi/model/lists.ts';
import { createIsEqual, type IndexedFilters, splitFilters } from '../../items/find-items.ts';
import { ensureFields, type GivenFields, ItemError } from '../../items/item-edits.ts';
import { fieldsOf } from '../../items/stored-item.ts';
import { parseExact, toIdText } from '../../json/exact-json.ts';
import { quote } from '../../json/quote.ts';
import { type CompileSchema, toSentences } from '../../json/validator.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { withoutHidden } from '../../state/scopes.ts';
import type { Store } from '../../state/store.ts';
import { createItemChanges } from '../admin/change-items.ts';
import type { Items } from './define.ts';

export type OwnItemsOptions = {
  document: Api;
  compileSchema: CompileSchema;
  indexed: IndexedFilters;
  /** The other APIs of the process, if it serves several. */
  siblings?: SiblingItems | undefined;
};

/** The items of other APIs of the process, by their names. */
type SiblingItems = {
  names: readonly string[];
  open: (name: string) => Promise<{ sandboxes: Pick<Sandboxes, 'get'>; served: OwnItemsOptions }>;
};

/** The items of a thing as code sees and changes them; `enter` gives the store of each use. */
export type ToItems = (thing: string, enter: <T>(use: UseStore<T>) => Promise<T>) => Items<object>;

type UseStore<T> = (store: Store, sandbox: Sandbox) => Promise<T>;

/** Creates a function that gives code the items of resources, by collection name. */
export function createToItems(options: OwnItemsOptions): ToItems {
  const { document, indexed, siblings } = options;
  const stored = new Map(
    [...document.resources, ...document.singletons].map((one) => [one.name, one]),
  );
  const changesOf = oncePer((resource: Resource) => createItemChanges(resource, options));
  return (thing, enter) => {
    const resource = stored.get(thing);
    const [, api = '', other = ''] = /^([^.]+)\.(.+)$/s.exec(thing) ?? [];
    if (!resource && siblings?.names.includes(api))
      return toItemsOf(() => siblings.open(api), other, enter);
    if (!resource) throw new Error(describeUnknown(thing, [...stored.keys()]));
    const changes = changesOf(resource);
    const { name } = resource;
    const change = <T>(value: object, use: (store: Store, given: GivenFields) => Promise<T>) =>
      enter(async (store) => {
        try {
          return await use(store, toGiven(value));
        } catch (error) {
          if (!(error instanceof ItemError)) throw error;
          throw new Error(`This is not a valid item of ${name}. ${toSentences(error.problems)}`);
        }
      });
    return {
      get: (id) => enter(async (store) => toItem(await store.get(name, toIdText(id)))),
      list: (given = {}) =>
        enter(async (store) => {
          const texts: Record<string, string> = {};
          for (const [key, value] of Object.entries(given))
            if (value !== undefined) texts[key] = String(value);
          const rules = listRulesOf(resource.operations.list);
          const names = { ...rules, filters: Object.keys(texts) };
          const { filters, others } = splitFilters(names, indexed.get(name) ?? new Set(), texts);
          const isMatch = createIsEqual(others, rules);
          const meant = await store.list(name, { filters, isMatch });
          return meant.map((json) => toItem(json) as object);
        }),
      create: (item) =>
        change(item, async (store, given) => {
          const made = await changes.create(store, given);
          if (made.isTaken)
            throw new Error(`${name} has an item with the id ${quote(made.item.id)}.`);
          return toItem(made.item.json) as object;
        }),
      patch: (id, patch) =>
        change(patch, async (store, given) => {
          const made = await changes.patch(store, toIdText(id), given);
          if (made) return toItem(made.json) as object;
          throw new Error(`${name} has no item with the id ${quote(String(id))}.`);
        }),
      replace: (id, item) =>
        change(item, async (store, given) => {
          const made = await changes.put(store, toIdText(id), given);
          return toItem(made.item.json) as object;
        }),
      remove: (id) => enter((store) => store.remove(name, toIdText(id))),
    };
  };
}

/**
 * The items of another API of the process, in its sandbox of the same name. A change of them is
 * stored at once, whatever becomes of the call.
 */
function toItemsOf(
  open: () => ReturnType<SiblingItems['open']>,
  thing: string,
  enter: Parameters<ToItems>[1],
): Items<object> {
  const reach = (act: (items: Items<object>) => Promise<unknown>) =>
    enter(async (_, { name }) => {
      const { sandboxes, served } = await open();
      const sandbox = sandboxes.get(name);
      await sandbox.refresh?.();
      const toItems = toItemsOfServed(served);
      return act(toItems(thing, (use) => use(sandbox.store, sandbox)));
    }) as Promise<never>;
  return {
    get: (id) => reach((items) => items.get(id)),
    list: (filters) => reach((items) => items.list(filters)),
    create: (item) => reach((items) => items.create(item)),
    patch: (id, patch) => reach((items) => items.patch(id, patch)),
    replace: (id, item) => reach((items) => items.replace(id, item)),
    remove: (id) => reach((items) => items.remove(id)),
  };
}

const toItemsOfServed = oncePer((served: OwnItemsOptions) => createToItems(served));

function describeUnknown(thing: string, names: readonly string[]): string {
  return `There is no collection ${quote(thing)}.${didYouMean(thing, names)} Collections are ${names.join(', ')}.`;
}

function toItem(json: Parameters<typeof fieldsOf>[0] | undefined): object | undefined {
  return json === undefined ? undefined : fieldsOf(withoutHidden(json));
}

/** Returns an object from user code as it is in JSON. */
function toGiven(given: object): GivenFields {
  const text = stringifyExact(ensureFields(given));
  return { value: parseExact(text), bytes: text.length };
}
