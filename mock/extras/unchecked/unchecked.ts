import type { Api, Operation } from '../../../openapi/index.ts';
import { findResource } from '../../../openapi/model/api.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import type { CallOptions, Step } from '../../call/steps.ts';
import type { ItemStore } from '../../state/store.ts';
import { createMakeExample, type ExampleSource, toExampleStore } from './example-store.ts';

/** Rejects a transaction whose changes are to be forgotten. */
const forgotten = new Error('Nothing of a stateless call is stored.');

export type UncheckedOptions = {
  served: ExampleSource;
  isStateless: (call: Call) => boolean;
};

/**
 * Creates the step that answers unknown ids with examples of them, and an unknown cursor with the first
 * page. A stateless call sees the first items and what it changes itself.
 */
export function createUncheckedStep(
  operation: Operation,
  calls: CallOptions,
  { served, isStateless }: UncheckedOptions,
): Step<'around behaviour'> {
  const { document } = served;
  const makeExample = createMakeExample(served, operation);
  const { kind: _, actsOn: __, singleton: ___, ...plain } = operation;
  const cursors = cursorsOf(operation, document);
  let fromDocument: Behaviour | undefined;
  const answer = async (call: Call, store: ItemStore, next: Behaviour) => {
    const toExample = (collection: string, id: string) => makeExample(collection, id, call.params);
    const own = { ...call, store: toExampleStore(store, toExample) };
    const made = await next(own);
    const code = 'error' in made ? made.error?.code : undefined;
    if (code === 'invalid_parameter') return next(withoutCursor(own, cursors));
    if (code !== 'not_found') return made;
    // No example has another name than its id.
    fromDocument ??= calls.bind({ ...plain, hint: { kind: 'none' } });
    return fromDocument(own);
  };
  return async (call, next) => {
    if (!isStateless(call)) return answer(call, call.store, next);
    let answered: ReturnType<Behaviour> | undefined;
    try {
      await call.store.transact(async (store) => {
        answered = answer(call, store, next);
        await answered;
        throw forgotten;
      });
    } catch (error) {
      if (error !== forgotten) throw error;
    }
    return answered as ReturnType<Behaviour>;
  };
}

/** The parameters that hold the cursors of a list. */
function cursorsOf(operation: Operation, document: Api): string[] {
  const resource = findResource(document, operation);
  if (operation.kind !== 'list' || !resource) return [];
  const { paging } = document.schemas.findListRules(operation, resource.item);
  return paging.flatMap(({ parameter, before }) => [parameter, before ?? parameter]);
}

function withoutCursor(call: Call, cursors: readonly string[]): Call {
  const isOther = ([name]: [string, unknown]) => !cursors.includes(name);
  const query = Object.fromEntries(Object.entries(call.query).filter(isOther));
  if (!call.parameters) return { ...call, query };
  const values = Object.fromEntries(Object.entries(call.parameters.query).filter(isOther));
  return { ...call, query, parameters: { ...call.parameters, query: values } };
}
