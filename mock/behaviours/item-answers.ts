import { idParameterOf } from '../../contracts/description/collections/resource.ts';
import {
  objectAlternative,
  shareType,
} from '../../contracts/description/collections/schema-types.ts';
import { describedAt } from '../../contracts/description/described-at.ts';
import type {
  ApiDocument,
  Operation,
  Resource,
  ResponseDescription,
} from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { isSuccess } from '../../contracts/description/success.ts';
import {
  type Answer,
  type TextAnswer,
  toShownPath,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import { findSuccess, missingStatusOf, statusOf, unfitStatusOf } from '../documented/responses.ts';
import type { ItemError } from '../items/item-edits.ts';
import { type ByteText, noBytes } from '../json/exact-json.ts';
import { toSentences } from '../json/validator.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour, type FromDocumentOptions } from './from-document.ts';
import { findShownItem } from './wrapped-items.ts';

/** What the behaviours of operations on one item are made with. */
export type ItemOptions = FromDocumentOptions & { document: ApiDocument };

/** How an operation on one item answers, as far as the document says. */
export type ItemAnswers = {
  /** The id in the path, as text; in the body where the path has none. */
  idOf(call: Call): string;
  /** Whether what was done is answered with the item. */
  showsItem: boolean;
  /** The answer to what was done; of an item that was created, 201. */
  done(call: Call, json: ByteText, isCreated?: boolean): Promise<Answer | TextAnswer>;
  /** The answer where no item has the id: 404, or 410 where only that is stated. */
  missing(call: Call): Answer;
  /** The answer to a body that fits no item: 400, or 422 where only that is stated. */
  unfit(error: ItemError): Answer;
};

/** Reads from the document how an operation on one item answers. */
export function createItemAnswers(
  operation: Operation,
  resource: Resource,
  options: ItemOptions,
): ItemAnswers {
  const parameter = idParameterOf(operation);
  const { idProperty } = resource;
  const created = operation.responses.find(({ status }) => status === '201');
  const successes = operation.responses.filter((one) => isSuccess(one) && one !== created);
  const changed = findSuccess({ ...operation, responses: successes }) ?? created;
  const whenChanged = createSuccess(changed, { operation, resource, ...options });
  const whenCreated = created
    ? createSuccess(created, { operation, resource, ...options })
    : whenChanged;
  return {
    idOf: ({ params, body }) =>
      parameter === undefined ? textOf(body, idProperty) : (params[parameter] ?? ''),
    showsItem: whenChanged.showsItem || whenCreated.showsItem,
    done: (call, json, isCreated = false) =>
      (isCreated ? whenCreated : whenChanged).toAnswer(call, json),
    missing: ({ url }) =>
      toStatedErrorAnswer(
        'not_found',
        `There is nothing at ${toShownPath(url)}.`,
        missingStatusOf(operation),
      ),
    unfit: ({ problems }) =>
      toStatedErrorAnswer(
        'invalid_body',
        `The body is not valid for an item of ${resource.name}. ${toSentences(problems)}`,
        unfitStatusOf(operation),
        problems.map((problem) => ({ in: 'body', ...problem })),
      ),
  };
}

type SuccessOptions = ItemOptions & { operation: Operation; resource: Resource };

type Success = {
  showsItem: boolean;
  toAnswer(call: Call, json: ByteText): Promise<Answer | TextAnswer>;
};

/** The item where the response describes it, no content where it has none, else the document's. */
function createSuccess(
  response: ResponseDescription | undefined,
  { operation, resource, ...options }: SuccessOptions,
): Success {
  const status = response ? statusOf(response, operation) : 200;
  if (!response && operation.kind === 'delete')
    return { showsItem: false, toAnswer: async () => ({ status: 204, json: noBytes }) };
  if (!response) return { showsItem: true, toAnswer: async (_, json) => ({ status, json }) };
  const wrap = toWrap(response, { operation, resource, ...options });
  if (wrap) return { showsItem: true, toAnswer: async (_, json) => ({ status, json: wrap(json) }) };
  return { showsItem: false, toAnswer: createOtherAnswer(operation, response, options) };
}

/** Answers as one of the responses of an operation describes, whatever is stored. */
export function createOtherAnswer(
  { kind: _, ...operation }: Operation,
  response: ResponseDescription,
  options: ItemOptions,
): Behaviour {
  const alone = { ...operation, responses: [response] };
  return createFromDocumentBehaviour(options.document, alone, options);
}

/**
 * What makes a response of an item; undefined where it describes none. An item has an id, and
 * nothing is required of it that items lack.
 */
export function toWrap(
  response: ResponseDescription,
  { operation, resource, ...options }: SuccessOptions,
): ((json: ByteText) => ByteText) | undefined {
  const shown = findShownItem(response, operation, { ...options, resource });
  if (!shown) return undefined;
  const { idProperty, item } = resource;
  const { raw } = options.document;
  const schema = objectAlternative(raw, shown.schema) ?? shown.schema;
  const described = describeShown(options.document, schema);
  const [id, ownId] = [described, item].map((one) => describedAt(raw, one, idProperty));
  const hasId = id !== undefined && shareType(raw, id, ownId);
  const isOfItem =
    (hasId || operation.kind === 'read') &&
    described.required.every((name) => Object.hasOwn(item.properties, name));
  const { wrap = (json: ByteText) => json } = shown;
  return isOfItem ? wrap : undefined;
}

function textOf(body: unknown, name: string): string {
  const value = valueAt(body as Readonly<Record<string, unknown>> | null, name);
  return value === undefined ? '' : String(value);
}
