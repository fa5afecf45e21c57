import { toJson } from '../../common/json.ts';
import type { Api } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { idAsked, idOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import type { Call } from './to-call.ts';

/** Facts from earlier traffic: the values in use, and when each item was first seen. */
export interface Memory {
  note(call: Call): void;
  /** Whether an item was seen before an instant. */
  wasSeen(resource: string, id: string, before: number): boolean;
  /** Whether an item of the resource has a value of a property. */
  isInUse(resource: string, property: string, value: unknown): boolean;
  /** In how many bodies and items a text was seen. */
  uses(text: string): number;
}

const maxEntries = 20_000;

/** Longer texts are not retained: they are doubtful, whoever else has them. */
const maxText = 200;

export function createMemory(document: Api): Memory {
  const [ids, values, texts] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const put = (map: Map<string, number>, key: string, value: number) => {
    if (key.length > maxText) return;
    const [oldest] = map.keys();
    if (map.size >= maxEntries && !map.has(key) && oldest !== undefined) map.delete(oldest);
    map.set(key, value);
  };
  return {
    note({ exchange, sent }) {
      const resource = findResource(document, exchange.case.operation);
      if (!resource) return;
      const { name, idProperty } = resource;
      for (const text of Object.values(sent ?? {}))
        if (typeof text === 'string') put(texts, text, (texts.get(text) ?? 0) + 1);
      if (!isAnswered(exchange) || exchange.response.status >= 300) return;
      if (exchange.case.operation?.kind === 'delete') {
        ids.delete(`${name} ${idAsked(exchange)}`);
        return;
      }
      for (const item of itemsIn(exchange)) {
        const id = idOf(item, idProperty);
        const key = `${name} ${id}`;
        if (id === undefined || ids.has(key)) continue;
        put(ids, key, exchange.endedAt);
        for (const [property, value] of Object.entries(item)) {
          put(values, `${name} ${property} ${toJson(value)}`, 1);
          if (typeof value === 'string') put(texts, value, (texts.get(value) ?? 0) + 1);
        }
      }
    },
    wasSeen: (resource, id, before) =>
      (ids.get(`${resource} ${id}`) ?? Number.POSITIVE_INFINITY) < before,
    isInUse: (resource, property, value) => values.has(`${resource} ${property} ${toJson(value)}`),
    uses: (text) => texts.get(text) ?? 0,
  };
}
