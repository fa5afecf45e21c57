import { hasAt, partsOf } from '../../common/property-path.ts';
import { toTarget } from '../../mock/curl/place-key.ts';
import { createToExampleCall } from '../../mock/documented/example-calls.ts';
import type { Twin } from '../../mock/twin.ts';
import type { Resource } from '../../openapi/index.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import type { ReceivedAnswer } from './judge-answer.ts';
import type { Call } from './send.ts';
import { toCall } from './to-call.ts';

/** Two items of a collection that differ in a property, how to create them, and how to read them. */
export type RoundTrip = {
  creates: { call: Call; value: unknown; id: unknown }[];
  toRead: (id: string) => Call;
  /** The id that the answer to a create shows. */
  findId: (answer: ReceivedAnswer) => unknown;
  /** The property that differs, in the answer to a read. */
  findValue: (answer: ReceivedAnswer) => unknown;
};

const values = [
  ['First corpus item', 'Second corpus item'],
  ['first-item', 'second-item'],
  ['first@example.com', 'second@example.com'],
  ['https://example.com/first', 'https://example.com/second'],
  [7, 8],
];

/** The round trips of a document: one for each collection that has a create and a read. */
export async function findRoundTrips(twin: Twin): Promise<RoundTrip[]> {
  const { resources, nested = [] } = twin.document;
  const found = await Promise.all(
    [...resources, ...nested].map((resource) => toRoundTrip(resource, twin)),
  );
  return found.filter((one) => one !== undefined);
}

/** Whether both items are read back as they were sent. */
export async function keepsState(
  { creates, toRead, findId, findValue }: RoundTrip,
  send: (call: Call) => Promise<ReceivedAnswer>,
): Promise<boolean> {
  const ids: unknown[] = [];
  for (const { call, id } of creates) ids.push(findId(await send(call)) ?? id);
  for (const [index, { value }] of creates.entries()) {
    const id = ids[index];
    if (id === undefined || findValue(await send(toRead(String(id)))) !== value) return false;
  }
  return true;
}

async function toRoundTrip(resource: Resource, twin: Twin): Promise<RoundTrip | undefined> {
  const { create, read } = resource.operations;
  const { compileSchema } = twin.app.served;
  const key = twin.keys[0]?.key ?? '';
  if (!create?.body || !read) return undefined;
  const toExampleCall = createToExampleCall(twin.document, {
    store: twin.app.store,
  });
  const [sent, readCall] = [await toExampleCall(create), await toExampleCall(read)];
  const body = sent && parse(sent.body);
  if (!sent || !readCall || body === undefined) return undefined;

  const { idProperty } = resource;
  const { outer, inner } = partsOf(idProperty) ?? { outer: idProperty };
  const idPath = inner === undefined ? [outer] : [outer, inner];
  const inBody = create.fieldsAt ?? [];
  const validate = compileSchema(create.body.schema, 'readOnly');
  const vary = (from: readonly unknown[], ...path: string[]) =>
    values
      .map((pair) => pair.map((value, nth) => withValue(from[nth], [...inBody, ...path], value)))
      .find((bodies) => bodies.every((one) => !validate(one)));
  const item = valueAt(body, inBody);
  if (typeof item !== 'object' || item === null) return undefined;
  const same = [body, body];
  const mayGiveId = resource.givenId === 'always' || resource.givenId === 'sometimes';
  const differing =
    hasAt(item as Readonly<Record<string, unknown>>, idProperty) || mayGiveId
      ? vary(same, ...idPath)
      : same;
  const references = resource.references?.map(({ property }) => property) ?? [];
  const properties = Object.keys(item).filter(
    (name) =>
      name !== outer && Object.hasOwn(resource.item.properties, name) && !references.includes(name),
  );
  const [property, bodies] =
    properties
      .map((name) => [name, differing && vary(differing, name)] as const)
      .find(([, varied]) => varied) ?? [];
  if (property === undefined || !bodies) return undefined;

  const path = { ...readCall.values.path, ...sent.values.path };
  const parameter = idParameterOf(read) ?? '';
  return {
    creates: bodies.map((one) => ({
      call: toCall(create, { ...sent, body: JSON.stringify(one) }, key),
      value: valueAt(one, [...inBody, property]),
      id: valueAt(one, [...inBody, ...idPath]),
    })),
    toRead: (id) => {
      const { query } = readCall.values;
      const target = toTarget(read.path, { path: { ...path, [parameter]: id }, query });
      return toCall(read, { ...readCall, target }, key);
    },
    findId: ({ text }) => valueAt(parse(text), [...(create.itemsAt ?? []), ...idPath]),
    findValue: ({ text }) => valueAt(parse(text), [...(read.itemsAt ?? []), property]),
  };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined,
    value,
  );
}

function withValue(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const members = typeof value === 'object' && value !== null ? value : {};
  return { ...members, [name]: withValue(Reflect.get(members, name), rest, to) };
}
