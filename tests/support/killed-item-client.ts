import { expect } from 'vitest';
import type { Random } from '../../mock/faults/random.ts';
import { type Call, type KilledTwinClient, pick } from './killed-twin.ts';

export type ItemClientOptions = {
  /** The key that it alone calls with, and its name. */
  key: string;
  name: string;
  /** A digit of its own, for ids that it chooses. */
  number: number;
  /** The path before those of a sandbox. */
  prefix: string;
  random: Random;
  /** The ids that its sandbox ever gave, to any client. */
  given: Set<string>;
};

/** The text of an item; undefined where it was deleted. */
type Known = string | undefined;

/**
 * Creates, reads, changes and deletes items of its own, and holds each to the byte, its order and
 * the counters of its key.
 */
export function createItemClient(options: ItemClientOptions): KilledTwinClient {
  const { key, name, number, prefix, random, given } = options;
  const known = new Map<string, Known>();
  let underWay: { id: string; mayBe: (text: Known) => boolean } | undefined;
  let [sent, answered, turn] = [0, 0, 0];

  const api = async (call: Call, method: string, path: string, body?: string) => {
    sent += 1;
    const response = await call(method, `${prefix}/v1${path}`, {
      key,
      ...(body !== undefined && { body }),
    });
    answered += 1;
    return response;
  };
  const admin = (call: Call, method: string, path: string, body?: string) =>
    call(method, `${prefix}/__admin${path}`, { ...(body !== undefined && { body }) });
  const body = () =>
    JSON.stringify({
      name: `${name} ${(turn += 1)} ${pick(random, ['Ré', '狗', '🐕', '"\\', 'x'.repeat(3000)])}`,
      categoryId: JSON.rawJSON(pick(random, ['1', '9007199254740993', '-9223372036854775808'])),
      status: pick(random, ['available', 'pending', 'sold']),
    });
  const own = () => pick(random, [...known.keys()].slice(-50));
  const isNew = (text: string) => {
    const id = /^\{"id":(\d+),/.exec(text)?.[1] as string;
    expect(given, 'an id comes once').not.toContain(id);
    given.add(id);
    return id;
  };
  const steps = {
    async create(call: Call) {
      const { status, text } = await api(call, 'POST', '/pets', body());
      expect(status).toBe(201);
      known.set(isNew(text), text);
    },
    async read(call: Call) {
      const id = own();
      const { status, text } = await api(call, 'GET', `/pets/${id}`);
      expect(status === 200 ? text : undefined).toBe(known.get(id));
    },
    async put(call: Call) {
      // Beyond what doubles hold, and what ids are counted up from.
      const id = `90${number}${String((turn += 1)).padStart(14, '0')}`;
      const fields = body();
      const sentText = Buffer.from(`{"id":${id},${fields.slice(1)}`).toString('latin1');
      underWay = { id, mayBe: (text) => text === undefined || text === sentText };
      const { status, text } = await admin(call, 'PUT', `/data/pets/${id}`, fields);
      expect([status, text]).toEqual([201, sentText]);
      known.set(isNew(text), text);
    },
    async patch(call: Call) {
      const id = own();
      const before = known.get(id);
      const marker = `patch ${(turn += 1)} of ${name}`;
      underWay = { id, mayBe: (text) => text === before || text?.includes(marker) === true };
      const patch = JSON.stringify({ name: marker });
      const { status, text } = await admin(call, 'PATCH', `/data/pets/${id}`, patch);
      expect(status).toBe(before === undefined ? 404 : 200);
      if (before !== undefined) known.set(id, text);
    },
    async remove(call: Call) {
      const id = own();
      const before = known.get(id);
      underWay = { id, mayBe: (text) => text === before || text === undefined };
      const { status } = await admin(call, 'DELETE', `/data/pets/${id}`);
      expect(status).toBe(before === undefined ? 404 : 204);
      known.set(id, undefined);
    },
  };
  const { create, read, put, patch, remove } = steps;
  return {
    async act(call) {
      const chosen = [create, create, create, read, read, put, patch, patch, remove];
      await (known.size === 0 ? create : pick(random, chosen))(call);
      underWay = undefined;
    },
    async check(call) {
      const { text } = await admin(call, 'GET', '/data/pets');
      const items = text
        .slice(text.indexOf('[') + 1, text.lastIndexOf(']'))
        .split(/(?<=\}),(?=\{"id":)/);
      const places = new Map(
        items.map((item, place) => [/^\{"id":(\d+),/.exec(item)?.[1] as string, place]),
      );
      expect(places.size, 'no id is listed twice').toBe(items.length);
      const textOf = (id: string) => items[places.get(id) ?? -1];
      if (underWay) {
        const { id, mayBe } = underWay;
        expect(mayBe(textOf(id)), `${id}: ${textOf(id)}`).toBe(true);
        if (known.has(id) || places.has(id)) known.set(id, textOf(id));
        if (places.has(id)) given.add(id);
        underWay = undefined;
      }
      for (const [id, expected] of known)
        if (textOf(id) !== expected) expect(textOf(id), id).toBe(expected);
      const created = [...known.keys()].filter((id) => places.has(id));
      const order = created.map((id) => places.get(id) as number);
      expect(order).toEqual(order.toSorted((left, right) => left - right));
      const limits = JSON.parse((await admin(call, 'GET', `/limits/${name}`)).text);
      // Answers of the turn of the event loop that was under way may not be counted.
      expect(limits.day.used).toBeGreaterThanOrEqual(answered - 1);
      expect(limits.day.used).toBeLessThanOrEqual(sent);
      sent = answered = limits.day.used;
      for (const id of places.keys()) given.add(id);
    },
  };
}
