import { isObject } from '../common/json.ts';
import { toToken } from '../common/json-pointer.ts';
import type { Operation } from './model/operation.ts';
import { toOperations } from './operation.ts';
import { nodeOf } from './operation-node.ts';
import { type RawDocument, resolve } from './schema.ts';

/** A request that the service itself makes: a webhook of the document, or a callback of an operation. */
export type ServiceCall = {
  name: string;
  /** The JSON pointer to its description in the document. */
  pointer: string;
  /** The call, as an operation of the receiver. */
  sends: Operation;
  /** Of a callback: the operation that it belongs to, and the runtime expression of its URL. */
  callback?: { of: Operation; url: string };
};

/** The webhooks of a document, and the callbacks of its operations. */
export function serviceCallsOf(raw: RawDocument, operations: readonly Operation[]): ServiceCall[] {
  return [...webhooksOf(raw), ...operations.flatMap((one) => callbacksOf(raw, one))];
}

export function webhooksOf(raw: RawDocument): ServiceCall[] {
  return toOperations({ ...raw, paths: raw.webhooks }).map((sends) => ({
    name: sends.path,
    pointer: toPointer(['webhooks', sends.path], sends),
    sends,
  }));
}

function callbacksOf(raw: RawDocument, operation: Operation): ServiceCall[] {
  const { path, method } = operation;
  const own = ['paths', path, method.toLowerCase(), 'callbacks'];
  const { callbacks } = nodeOf(raw, operation);
  return Object.entries<RawDocument>(isObject(callbacks) ? callbacks : {}).flatMap(([name, node]) =>
    toOperations({ ...raw, paths: resolve(raw, node) }).map((sends) => ({
      name,
      pointer: toPointer([...own, name, sends.path], sends),
      sends,
      callback: { of: operation, url: sends.path },
    })),
  );
}

/** The JSON pointer to what a service sends by a method, below these names. */
function toPointer(names: readonly string[], { method }: Operation): string {
  return `#/${[...names, method.toLowerCase()].map(toToken).join('/')}`;
}

/** Whether a document has any of these. */
export function makesCalls(raw: RawDocument): boolean {
  const items = Object.values<unknown>(raw.paths ?? {}).filter(isObject);
  const nodes = items.flatMap((item) => Object.values<unknown>(resolve(raw, item)));
  return (
    Object.keys(raw.webhooks ?? {}).length > 0 ||
    nodes.some((node) => isObject(node) && isObject(node.callbacks))
  );
}
