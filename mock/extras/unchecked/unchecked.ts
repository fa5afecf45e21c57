import { stringifyExact } from '../../../common/json.ts';
import { once, oncePer } from '../../../common/once-per.ts';
import { withAll, withAt } from '../../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../../openapi/index.ts';
import { heldSchemaOf } from '../../../openapi/model/content.ts';
import { listRulesOf } from '../../../openapi/model/lists.ts';
import { mendValue } from '../../../openapi/values/generate.ts';
import { withinTries } from '../../../openapi/values/make-options.ts';
import { type Answer, bodyOf, type TextAnswer } from '../../answers/answer.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import type { CallOptions } from '../../call/steps.ts';
import { defaultResponse, statusOf } from '../../documented/responses.ts';
import { fieldsOf, toStoredItem } from '../../items/stored-item.ts';
import { type ByteText, parseInteger, toByteText } from '../../json/exact-json.ts';
import { fits } from '../../json/validator.ts';
import type { MakeSeeds } from '../../sandboxes/open-sandboxes.ts';
import { createReadScopes, createToScopeMembers } from '../../state/scopes.ts';
import type { ItemStore } from '../../state/store.ts';

type AnyAnswer = Answer | TextAnswer;

/** Rejects a transaction whose changes are to be forgotten. */
const forgotten = new Error('Nothing of a stateless call is stored.');

/** The errors of calls whose path or body names what does not exist. */
const unknown: readonly unknown[] = ['not_found', 'invalid_body'];

/** The errors of calls whose body has what an item has already, which only state can tell. */
const taken: readonly unknown[] = ['id_taken', 'value_taken'];

/** Answers a call of an operation without some of the checks, or without storing anything. */
export type UncheckedStep = (
  call: Call,
  next: Behaviour,
  how: { stateless: boolean; examples: boolean },
) => ReturnType<Behaviour>;

/**
 * Creates the step that answers a call that names what does not exist as if that existed, and one with
 * an unknown cursor with the first page. A stateless call sees the first items and what it changes
 * itself.
 */
export function createUncheckedStep(
  operation: Operation,
  calls: CallOptions,
  source: ExampleSource,
): UncheckedStep {
  const { document } = source;
  const makeExample = createMakeExample(source, operation);
  const { kind: _, actsOn: __, singleton: ___, readAs: ____, ...plain } = operation;
  const cursors = cursorsOf(operation.readAs ?? operation);
  const toDescribed = createToDescribed(operation, document);
  const fromDocument = once(() => calls.bind({ ...plain, hint: { kind: 'none' } }));
  const describe = (call: Call) => fromDocument()(call);
  const answer = async (call: Call, next: Behaviour, examples: boolean) => {
    const made = await next(call);
    const code = errorOf(made);
    if (!examples || code === undefined) return made;
    if (code === 'invalid_parameter' && cursors.length > 0) {
      const first = await next(withoutCursor(call, cursors));
      // A body may hold the cursor.
      return errorOf(first) === code ? describe(call) : first;
    }
    if (!unknown.includes(code)) return made;
    const toExample = (collection: string, id?: string) => makeExample(collection, id, call.params);
    const store = toExampleStore(call.store, toExample);
    const shown = await next({ ...call, store });
    if (errorOf(shown) === undefined) return { ...shown, kind: 'example' as const };
    if (code !== 'not_found') return shown;
    // A path may name an item by a property that the example does not have.
    return { ...(await describe({ ...call, store })), kind: 'example' as const };
  };
  return async (call, next, { stateless, examples }) => {
    if (!stateless) return answer(call, next, examples);
    let answered: ReturnType<Behaviour> | undefined;
    try {
      await call.store.transact(async (store) => {
        answered = answer({ ...call, store }, next, examples);
        await answered;
        throw forgotten;
      });
    } catch (error) {
      if (error !== forgotten) throw error;
    }
    const stated = await (answered as ReturnType<Behaviour>);
    const made = taken.includes(errorOf(stated)) ? await describe(call) : stated;
    return errorOf(made) === undefined ? { ...toDescribed(made), kind: 'example' } : made;
  };
}

/** Creates the mending of answers by their schemas, where items are described otherwise elsewhere. */
function createToDescribed(operation: Operation, document: Api): (answer: AnyAnswer) => AnyAnswer {
  const options = { seed: 1, describe: document.schemas.describeShown, own: true };
  return (answer) => {
    const response =
      operation.responses.find((one) => statusOf(one, operation) === answer.status) ??
      defaultResponse(operation);
    const schema = response && heldSchemaOf(response);
    const value = 'json' in answer && schema ? bodyOf(answer) : undefined;
    if (!schema || value === undefined || fits(document, schema, value)) return answer;
    try {
      const within = withinTries((part, one) => fits(document, part, one));
      const mended = mendValue(value, schema, { ...options, fits: within });
      return { ...answer, json: toByteText(stringifyExact(mended) ?? 'null') };
    } catch {
      // Not every pattern can be met.
      return answer;
    }
  };
}

function errorOf(answer: Awaited<ReturnType<Behaviour>>): string | undefined {
  return 'error' in answer ? answer.error?.code : undefined;
}

/** The parameters that hold the cursors of a list. */
function cursorsOf(operation: Operation): string[] {
  return listRulesOf(operation).paging.flatMap(({ parameter, before }) => [
    parameter,
    before ?? parameter,
  ]);
}

function withoutCursor(call: Call, cursors: readonly string[]): Call {
  const isOther = ([name]: [string, unknown]) => !cursors.includes(name);
  const query = Object.fromEntries(Object.entries(call.query).filter(isOther));
  if (!call.parameters) return { ...call, query };
  const values = Object.fromEntries(Object.entries(call.parameters.query).filter(isOther));
  return { ...call, query, parameters: { ...call.parameters, query: values } };
}

type Params = Readonly<Record<string, string>>;

/** The document, and the seeds that its mock begins with. */
type ExampleSource = {
  document: Api;
  makeSeeds: MakeSeeds;
  initialState: { settings: { seed: number } };
};

/**
 * Makes an example of an item that does not exist, or of any without an id; undefined if no item can be
 * made.
 */
type MakeExample = (
  collection: string,
  id: string | undefined,
  params: Params,
) => Promise<ByteText | undefined>;

/**
 * Creates the maker of examples for the calls of an operation: a generated item of the collection,
 * with the id and below the parents that the path of a call names.
 */
function createMakeExample(
  { document, makeSeeds, initialState }: ExampleSource,
  operation: Pick<Operation, 'path'>,
): MakeExample {
  const { seed } = initialState.settings;
  const scopesOf = oncePer((resource: Resource) => {
    const readScopes = createReadScopes(resource, operation);
    const toMembers = createToScopeMembers(document, resource);
    return (params: Params) => toMembers(readScopes?.(params) ?? []);
  });
  return async (collection, id, params) => {
    const resource = document.resources.find(({ name }) => name === collection);
    const [first] = (await makeSeeds({ seed, items: 1 }))[collection]?.items ?? [];
    if (!resource || !first) return undefined;
    const own = toTypedId(resource, id ?? first.id);
    if (own === undefined) return undefined;
    const scoped = withAll(fieldsOf(first.json), scopesOf(resource)(params));
    return toStoredItem(resource, withAt(scoped, resource.idProperty, own), own).json;
  };
}

/** Returns the id of an item by its text; undefined for a text that is no id of the collection. */
function toTypedId({ idSchema }: Resource, id: string): unknown {
  return idSchema.type === 'string' ? id : parseInteger(id);
}

/**
 * Returns a store in which every id names an item, and no list is empty: stored items, or examples, which
 * can be changed and removed without effect.
 */
function toExampleStore(
  store: ItemStore,
  toExample: (collection: string, id?: string) => Promise<ByteText | undefined>,
): ItemStore {
  const get: ItemStore['get'] = async (collection, id) =>
    (await store.get(collection, id)) ?? toExample(collection, id);
  return {
    ...store,
    get,
    async list(collection, query) {
      const found = await store.list(collection, query);
      const example = found.length === 0 ? await toExample(collection) : undefined;
      return example ? [example] : found;
    },
    async listSerial(collection, query) {
      const found = await store.listSerial(collection, query);
      const example = found.length === 0 ? await toExample(collection) : undefined;
      return example ? [{ serial: 1, json: example }] : found;
    },
    async change(collection, id, toItem, ensure) {
      const changed = await store.change(collection, id, toItem, ensure);
      if (changed) return changed;
      const example = await toExample(collection, id);
      return example && toItem(example);
    },
    async remove(collection, id) {
      return (
        (await store.remove(collection, id)) || (await toExample(collection, id)) !== undefined
      );
    },
    transact: (act) => store.transact((inner) => act(toExampleStore(inner, toExample))),
  };
}
