import type { Mutate } from './deployment.ts';
import type { Answer, Item } from './shop.ts';

/**
 * Adds seven typical mistakes of a first implementation. Calls without a key get plain text, and
 * body values are not checked. A missing field is 422, and ids repeat. `limit` is ignored, each
 * route counts calls by itself, and 429 lacks Retry-After.
 */
export const sevenMistakes: Mutate = (truth, shop) => {
  const counters = new Map<string, number>();
  let created = 0n;
  return {
    refuse: (body) => {
      const { name, categoryId } = (body ?? {}) as Item;
      if (typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) !== categoryId)
        return 'categoryId is out of range.';
      return name === undefined || categoryId === undefined
        ? 'name and categoryId are required.'
        : undefined;
    },
    create: (body) => {
      created += 1n;
      const item = { ...body, id: 1000n + created / 2n };
      shop.items.set(`${item.id} ${created}`, item);
      return item;
    },
    read: (id) =>
      shop.items.get(id) ?? [...shop.items].find(([key]) => key.startsWith(`${id} `))?.[1],
    list: (query, call) => truth.list({ ...query, limit: 20 }, call),
    meter: (call, account) => {
      const quota = truth.meter(call, account);
      if (!account || quota.refusedFor !== undefined) return quota;
      const counter = `${account.key} ${call.operation} ${quota.reset}`;
      counters.set(counter, (counters.get(counter) ?? 0) + 1);
      return { ...quota, remaining: quota.limit - (counters.get(counter) ?? 0) };
    },
    answer: (_, answer) => mistaken(answer),
  };
};

function mistaken(answer: Answer): Answer {
  if (answer.status === 401)
    return { status: 401, headers: { 'Content-Type': 'text/plain' }, text: 'Unauthorized' };
  if (answer.status === 429) {
    const { 'Retry-After': _, ...headers } = answer.headers;
    return { ...answer, headers };
  }
  const isMissingField =
    answer.status === 400 && (answer.body as Item).message === 'name and categoryId are required.';
  return isMissingField
    ? { ...answer, status: 422, body: { ...(answer.body as Item), status: 422n } }
    : answer;
}
