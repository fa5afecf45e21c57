import { lastWordOf, placesIn } from '../../../common/path-template.ts';
import { valueAt, valueIn } from '../../../common/property-path.ts';
import { type ExpressionSource, evaluate } from '../../../common/runtime-expression.ts';
import { isSuccess } from '../../../common/success.ts';
import { singular } from '../../../common/words.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { findSubject } from '../../../openapi/model/api.ts';
import { shownIn, successOf, toKey } from '../../../openapi/model/operation.ts';
import { type Answer, bodyOf, type TextAnswer } from '../../answers/answer.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import type { Step } from '../../call/steps.ts';
import { isSentByMock } from '../../http/guard-request.ts';
import type { Fields } from '../../items/stored-item.ts';
import { traceOf } from '../../journal/trace.ts';
import type { Log } from '../../log.ts';
import type { Announce, Receiver } from './announce.ts';
import { deliveriesOf } from './deliveries.ts';
import type { Subject } from './payload.ts';
import type { TriggeredCall } from './triggers.ts';

export type AfterOperationsOptions = {
  document: Api;
  all: readonly TriggeredCall[];
  announce: Announce;
  log: Pick<Log, 'error'>;
};

/**
 * Creates the step that sends an operation's webhooks after it; `bind` returns the twin's own
 * behaviour.
 */
export type SendAfter = (
  operation: Operation,
  bind: (operation: Operation) => Behaviour,
) => Step<'around behaviour'> | undefined;

/** Creates the function that sends webhooks and callbacks after the success of their triggers. */
export function createSendAfter({
  document,
  all,
  announce,
  log,
}: AfterOperationsOptions): SendAfter {
  return (operation, bind) => {
    const isOwn = (one: Operation) => toKey(one) === toKey(operation);
    const callbacks = all.filter(({ callback }) => callback && isOwn(callback.of));
    const events = all.flatMap((call) =>
      call.triggers
        .filter(({ operations }) => operations.some(isOwn))
        .map(({ event }) => ({ name: event, call })),
    );
    if (events.length + callbacks.length === 0) return undefined;
    const reader = findReader(document, operation);
    const behaviour = reader && bind(reader);
    const readIn = reader && createItemsIn(document, reader);
    const read = async (call: Call) => {
      const answer = await behaviour?.({ ...call, method: 'GET', body: undefined, query: {} });
      return answer && isSuccess(answer) ? readIn?.(answer) : undefined;
    };
    const itemsIn = createItemsIn(document, operation);
    const toSubject = createToSubject(document, operation);
    return async (call, made) => {
      const { sandbox } = call;
      // A mock that heeded what mocks send would call itself for ever.
      if (isSentByMock(call.source) || call.isLook) return made(call);
      const deleted = operation.kind === 'delete' ? await read(call) : undefined;
      const answer = await made(call);
      if (!sandbox || !isSuccess(answer)) return answer;
      try {
        const found = deleted ?? itemsIn(answer) ?? (await read(call));
        const subjects = [found].flat().map((item) => toSubject(item, call));
        const source = toExpressionSource(call, answer);
        const toOf = new Map<TriggeredCall, Receiver>();
        for (const one of callbacks) {
          const url = evaluate(one.callback?.url ?? '', source);
          if (!url) continue;
          const to = { url, origin: call.origin };
          toOf.set(one, to);
          const { item: _, ...subject } = subjects[0] ?? {};
          deliveriesOf(sandbox).subscribe({ call: one, ...to, ...subject });
        }
        const all = events.flatMap((event) => {
          // Its own callbacks go where this request says.
          const isOwn = callbacks.includes(event.call);
          const to = [toOf.get(event.call)].filter((one) => one !== undefined);
          return subjects.map((one) => ({ ...one, event, ...(isOwn && { to }) }));
        });
        await announce(sandbox, all, traceOf(call.source.headers));
      } catch (error) {
        log.error(`The webhooks after ${operation.id} were not sent: ${(error as Error).message}`);
      }
      return answer;
    };
  };
}

/** Creates a function that returns the item or list in an operation's response. */
function createItemsIn({ schemas }: Api, operation: Operation) {
  const wrapped = schemas.findWrappedItem(successOf(operation), shownIn(operation));
  const pointer = operation.itemsAt ?? wrapped?.pointer ?? [];
  return (answer: Answer | TextAnswer): unknown =>
    'text' in answer ? undefined : valueIn(bodyOf(answer), pointer);
}

/**
 * Creates a function that returns the subject of an operation's call, with its item if one is
 * shown.
 */
function createToSubject(document: Api, operation: Operation) {
  const collection = operation.resource ?? operation.actsOn;
  const resource = findSubject(document, operation);
  const idProperty = resource?.idProperty ?? 'id';
  const idName = resource && `${singular(lastWordOf(resource.path))}Id`;
  return (item: unknown, { params }: Call): Subject => {
    const values = Object.values(params);
    const inPath = values.at(-1);
    return {
      item: item ?? (idName && { [idProperty]: inPath }),
      id: valueAt(item as Fields | undefined, idProperty) ?? inPath,
      collection,
      idName,
      idProperty,
      places: placesIn(operation.path, values),
    };
  };
}

/** The operation that shows the item which another one works on. */
function findReader({ operations }: Api, { path }: Operation): Operation | undefined {
  const itemPath = path.replace(/\/[^{}]*$/, '');
  return operations.find(
    (one) =>
      (one.kind === 'read' || one.singleton) &&
      one.method === 'GET' &&
      [path, itemPath].includes(one.path),
  );
}

/** Returns the values that runtime expressions find in a call and its response. */
function toExpressionSource(call: Call, answer: Answer | TextAnswer): ExpressionSource {
  const { method, url, query, params, source, body } = call;
  const { headers: sent = {} } = answer;
  const header = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]);
  const shown = 'text' in answer ? undefined : bodyOf(answer);
  return {
    url: `${source.protocol}://${source.headers.host ?? 'localhost'}${url}`,
    method,
    status: answer.status,
    request: { header: source.headers, query, path: params, body },
    response: { header: Object.fromEntries(header), query: {}, path: {}, body: shown },
  };
}
