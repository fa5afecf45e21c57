import { findWrappedItem } from '../../../contracts/description/collections/item-form.ts';
import { lastWordOf } from '../../../contracts/description/collections/places.ts';
import { shownIn, successOf } from '../../../contracts/description/collections/success.ts';
import { singular } from '../../../contracts/description/collections/words.ts';
import type { ApiDocument, Operation } from '../../../contracts/description/document.ts';
import { valueAt, valueIn } from '../../../contracts/description/property-path.ts';
import { type Answer, bodyOf, type TextAnswer } from '../../answers/answer.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import type { Fields } from '../../items/stored-item.ts';
import type { Subject } from './payload.ts';
import type { ExpressionSource } from './runtime-expression.ts';

/** Makes what finds the items that calls of an operation are about, of which `reads` shows one. */
export function createFindSubjects(
  document: ApiDocument,
  operation: Operation,
  reads: Behaviour | undefined,
): { before: (call: Call) => Promise<unknown>; after: FindSubjects } {
  const { resources, nested = [], singletons } = document;
  const name = operation.resource ?? operation.actsOn ?? operation.singleton;
  const resource = [...resources, ...nested, ...singletons].find((one) => one.name === name);
  const shown = findWrappedItem(document.raw, successOf(operation), shownIn(operation));
  const pointer = operation.itemsAt ?? shown?.pointer ?? [];
  const idProperty = resource?.idProperty ?? 'id';
  const idName = resource && `${singular(lastWordOf(resource.path))}Id`;
  const toSubject = (item: unknown, call: Call): Subject => ({
    item: item ?? (idName && { [idProperty]: Object.values(call.params).at(-1) }),
    id: valueAt(item as Fields | undefined, idProperty) ?? Object.values(call.params).at(-1),
    ...(idName && { idName }),
  });
  const read = async (call: Call) => {
    const answer = await reads?.({ ...call, method: 'GET', body: undefined, query: {} });
    return answer && isSuccess(answer) ? jsonOf(answer) : undefined;
  };
  return {
    before: async (call) => (operation.kind === 'delete' ? read(call) : undefined),
    async after(call, answer, before) {
      const body = jsonOf(answer);
      const found = body === undefined ? undefined : valueIn(body, pointer);
      if (Array.isArray(found)) return found.map((item) => toSubject(item, call));
      return [toSubject(before ?? found ?? (await read(call)), call)];
    },
  };
}

type FindSubjects = (
  call: Call,
  answer: Answer | TextAnswer,
  before: unknown,
) => Promise<readonly Subject[]>;

/** The operation that shows the item which another one works on. */
export function findReader(
  { operations }: ApiDocument,
  { path }: Operation,
): Operation | undefined {
  const itemPath = path.replace(/\/[^{}]*$/, '');
  return operations.find(
    (one) =>
      (one.kind === 'read' || one.singleton) &&
      one.method === 'GET' &&
      [path, itemPath].includes(one.path),
  );
}

/** Whether an answer is a success. */
export function isSuccess({ status }: Answer | TextAnswer): boolean {
  return status >= 200 && status < 300;
}

/** What an answer shows as JSON. */
function jsonOf(answer: Answer | TextAnswer): unknown {
  return 'text' in answer ? undefined : bodyOf(answer);
}

/** What runtime expressions find in a call and its answer. */
export function toExpressionSource(call: Call, answer: Answer | TextAnswer): ExpressionSource {
  const { method, url, query, params, source, body } = call;
  const { headers: sent = {} } = answer;
  const header = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url: `${source.protocol}://${source.headers.host ?? 'localhost'}${url}`,
    method,
    status: answer.status,
    request: { header: source.headers, query, path: params, body },
    response: { header: Object.fromEntries(header), query: {}, path: {}, body: jsonOf(answer) },
  };
}
