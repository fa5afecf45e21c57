import type { Mutate } from '../../../tools/lab/deployment.ts';
import { toJson } from '../../../tools/lab/exact.ts';
import type { Answer, Call, Item, Query } from '../../../tools/lab/shop.ts';
import { tamper } from '../../../tools/lab/tamper.ts';

/** Sends the content with these headers in place of every answer to a list. */
export function instead(content: () => Buffer, headers: Record<string, string> = {}): Mutate {
  return () => ({
    send: (call, answer, response) => {
      if (call.operation !== 'listPets' || answer.status !== 200) return false;
      const body = content();
      response.writeHead(200, {
        ...answer.headers,
        ...headers,
        'Content-Length': String(body.length),
      });
      response.end(body);
      return true;
    },
  });
}

/** Answers lists with what is made for each call. */
export function listing(make: (truth: Item[], call: Call, query: Query) => unknown): Mutate {
  return (truth) => ({
    list: (query, call) => make(truth.list(query, call), call, query) as Item[],
  });
}

/** Sends this text as the body of each success of an operation. */
export function saying(
  operation: Call['operation'],
  text: string | ((answer: Answer, call: Call) => string),
): Mutate {
  return tamper(
    { ...(operation && { operation }), when: (_, { status }) => status < 300 },
    (answer, call) => ({
      ...answer,
      text: typeof text === 'function' ? text(answer, call) : text,
    }),
  );
}

/** An id in place of each item's own, in lists and creates. */
export function withId(json: string): Mutate {
  return saying(undefined, ({ body }) => toJson(body).replace(/"id":\d+/g, `"id":${json}`));
}

export function animals(count: number, more: (index: number) => Item = () => ({})): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    id: BigInt(index + 1),
    name: `Rex ${index}`,
    categoryId: 1n,
    status: 'available',
    ...more(index),
  }));
}
