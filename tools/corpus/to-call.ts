import { placeKey, toCookieHeader, withQuery } from '../../mock/curl/place-key.ts';
import { createToExampleCall, type ExampleCall } from '../../mock/documented/example-calls.ts';
import type { Twin } from '../../mock/twin.ts';
import type { Operation } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import type { Call } from './send.ts';

/** The call of an operation with its credentials; none where the document shows no way to make one. */
export type ToCall = (operation: Operation) => Promise<{ call?: Call; example?: ExampleCall }>;

/** Creates the calls that the start page of a twin shows, with a key of the twin. */
export function createToCall({ document, app, keys }: Twin): ToCall {
  const { writeXml } = app.served;
  const toExampleCall = createToExampleCall(document, {
    store: app.store,
    writeXml,
  });
  return async (operation) => {
    const example = await toExampleCall(operation);
    return example ? { example, call: toCall(operation, example, keys[0]?.key ?? '') } : {};
  };
}

/** An example call with a key where the operation has it. */
export function toCall(operation: Operation, example: ExampleCall, key: string): Call {
  const { headers, query, cookies } = placeKey(keyPlacesOf(operation), key);
  return {
    method: operation.method,
    target: withQuery(example.target, query),
    headers: {
      ...headers,
      ...(cookies.length > 0 && { Cookie: toCookieHeader(cookies) }),
      ...example.headers,
      ...(example.body !== undefined && {
        'Content-Type': example.mediaType ?? 'application/json',
      }),
    },
    body: example.body,
  };
}
