import type { Api, Operation } from '../../openapi/index.ts';
import { type Exchange, headerValue } from '../transcript/exchange.ts';
import type { Item } from '../transcript/items.ts';
import { createdAt } from '../transcript/made.ts';

/** Clocks this close, in milliseconds, are taken for one. */
const clockGap = 60_000;

/** Tells why an item that a create answered with is not new; undefined where nothing says so. */
export function whyOthers(
  create: Exchange,
  {
    shown,
    seenAt,
    started,
  }: { shown: Item | undefined; seenAt?: number | undefined; started: number },
): string | undefined {
  const { operation } = create.case;
  if (seenAt !== undefined && seenAt <= create.sentAt) return 'it was there before';
  const describes = (text: string) => operation?.responses.some(({ status }) => status === text);
  // Where a document describes 201 beside 200, this is for an item that is there.
  if (create.response?.status === 200 && describes('200') && describes('201'))
    return 'its answer is that for an item which is there';
  const created = shown && createdAt(shown);
  return !shown || created === undefined || isCreatedSince(create, shown, started)
    ? undefined
    : `it says that it was created at ${new Date(created).toISOString()}`;
}

/** Tells whether an item says that it was created after a time, in Unix milliseconds. */
export function isCreatedSince(create: Exchange, shown: Item, time: number): boolean {
  const date = Date.parse(headerValue(create, 'Date') ?? '');
  const ahead = Number.isNaN(date) ? 0 : date - create.endedAt;
  const created = createdAt(shown);
  return created !== undefined && created >= time + ahead - clockGap;
}

/** Tells whether the document lists the values of a path parameter, so that it names no item. */
export function isListedValue(document: Api, { parameters }: Operation, name: string): boolean {
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  const { enum: values, const: constant } = document.schemas.resolve(described?.schema ?? {});
  return values !== undefined || constant !== undefined;
}
