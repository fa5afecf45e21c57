import { isObject } from '../../common/json.ts';
import { withoutSlash } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import type { Kind, Operation, Schemas } from '../../openapi/index.ts';
import { idsParameterOf } from '../../openapi/model/resource.ts';
import { type Answer, sentStatus, type TextAnswer, withProblemsAt } from '../answers/answer.ts';
import { states, withoutContents } from '../documented/responses.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { type ByteText, noBytes, toIdText } from '../json/exact-json.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createToAnswerOfMany } from './create.ts';
import type { ItemOptions } from './item-answers.ts';

/** The path parameter of the operation on one of many items. */
const parameter = 'one of many';

/**
 * Returns the operation on one of the items that an operation on many works on. It describes no
 * content of successes, so that it answers with the whole item or with nothing.
 */
export function toOperationOfOne(schemas: Schemas, operation: Operation, kind: Kind): Operation {
  const { body, otherBody: _, hint: __, takenAt: ___, takenAs: ____, ...others } = operation;
  const schema = schemas.bodyItemsOf(operation);
  return {
    ...others,
    kind,
    path: `${withoutSlash(operation.path)}/{${parameter}}`,
    responses: operation.responses.flatMap((one) => {
      if (!isSuccess(one)) return [one];
      // A PUT that documents 201 creates what is not there.
      return one.status === '201' ? [withoutContents(one)] : [];
    }),
    ...(body && schema && { body: { ...body, required: true, schema } }),
  };
}

/** Ends a transaction without changes, as one of the items is refused. */
class Refusal extends Error {
  readonly answer: Answer | TextAnswer;

  constructor(answer: Answer | TextAnswer) {
    super();
    this.answer = answer;
  }
}

/**
 * Does to each item of a list, of ids in the query, or of all that are read, what an operation on one
 * does, in steps of which one shows it: to all of them, or to none if one is refused.
 */
export function createManyBehaviour(
  options: ItemOptions,
  steps: readonly Behaviour[],
  readAll?: (call: Call) => Promise<readonly unknown[]>,
): Behaviour {
  const { operation, resource } = options;
  const toAnswer = createToAnswerOfMany(options);
  const inQuery = idsParameterOf(operation);
  const isAsked = operation.kind === 'deleteMany' && inQuery === undefined;
  const skipsUnknown = isAsked || !states(operation, 404);
  const targetsOf = async (call: Call): Promise<[id: string, body: unknown][]> => {
    const { body, parameters } = call;
    if (operation.kind !== 'deleteMany')
      return ([body ?? []].flat() as Fields[]).map((one) => [
        toIdText(valueAt(one, resource.idProperty) ?? ''),
        one,
      ]);
    const named = inQuery === undefined ? body : parameters?.query[inQuery];
    const given = readAll && named === undefined ? await readAll(call) : [named ?? []].flat();
    const ids = given.map((one) =>
      toIdText(isObject(one) ? valueAt(one, resource.idProperty) : one),
    );
    return [...new Set(ids)].map((id) => [id, undefined]);
  };
  return async (call) => {
    const [path = ''] = call.url.split('?');
    const change = async (store: Call['store']): Promise<ByteText[]> => {
      const items: ByteText[] = [];
      for (const [index, [id, body]] of (await targetsOf({ ...call, store })).entries()) {
        const params: Record<string, string> = { ...call.params, [parameter]: id };
        const one = { ...call, store, params, body, url: `${path}/${encodeURIComponent(id)}` };
        let item = noBytes;
        for (const step of steps) {
          const answer = await step(one);
          // An unknown id of a delete in a body, or one that the document does not refuse, is skipped.
          if (sentStatus(answer) === 404 && skipsUnknown) break;
          if (sentStatus(answer) >= 400) throw new Refusal(withProblemsAt(answer, `/${index}`));
          if ('json' in answer) item ||= answer.json;
          const { created } = 'created' in answer ? answer : {};
          const newId = created && valueAt(fieldsOf(created), resource.idProperty);
          if (newId !== undefined) params[parameter] = toIdText(newId);
        }
        if (item !== noBytes) items.push(item);
      }
      return items;
    };
    try {
      return await toAnswer(call, await call.store.transact(change));
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  };
}
