import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { planBodies, toBodyText } from '../cases/bodies.ts';
import { type Case, readCase } from '../cases/case.ts';
import { createCase } from '../cases/create-cases.ts';
import { freshValue } from '../cases/fresh-value.ts';
import { fullBodies } from '../cases/full-fields.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { toSegment, withoutQuery } from '../transcript/items.ts';
import { type OwnItem, openOwnItem } from './own-item.ts';
import type { Session } from './session.ts';

/**
 * Returns the PUT that makes items at paths with new names, as its 201 says, where nothing else makes
 * them and they can be read and deleted.
 */
export function namingPutOf({ operations }: Resource): Operation | undefined {
  const { create, read, replace, delete: remove } = operations;
  const isMaker = replace?.responses.some(({ status }) => status === '201') && newNameFor(replace);
  return !create && read && remove && isMaker ? replace : undefined;
}

/** Makes an item with a name that nothing has, as a read of it says; undefined where that fails. */
export async function createNamedItem(
  session: Session,
  document: Api,
  resource: Resource,
): Promise<OwnItem | undefined> {
  const put = namingPutOf(resource);
  const { read } = resource.operations;
  const id = put && session.values.fill(newNameFor(put) ?? '').text;
  const segment = toSegment(id);
  if (!put || !read || id === undefined || segment === undefined) return undefined;
  const purpose: Case['purpose'] = { kind: 'call' };
  const look: Case = { ...readCase(read, segment, purpose, 2), isMadeUp: true };
  const before = await session.call({ ...look, id: `${look.id}, before it is made` });
  if (![404, 410].includes(before?.response?.status ?? 0)) return undefined;
  const { path } = readCase(put, segment, purpose, 2);
  session.ownership.adopt([withoutQuery(path)]);
  const made = await putBodies(session, document, { resource, put, path });
  if (!made) return undefined;
  made.made = { id, whose: 'own' };
  const own = await openOwnItem({ session, document, resource }, { made, id });
  return own && { ...own, change: (...given) => asMade(own.change(...given), made.made) };
}

/** Notes that an item is there as a change of it leaves it, unless that deletes it. */
async function asMade(
  changing: Promise<Exchange | undefined>,
  made: Exchange['made'],
): Promise<Exchange | undefined> {
  const changed = await changing;
  const isDone = (changed?.response?.status ?? 500) < 300;
  if (changed && made && isDone && changed.case.method !== 'DELETE') changed.made = made;
  return changed;
}

/** Sends bodies to a path until the deployment takes one; gives that call. */
async function putBodies(
  session: Session,
  document: Api,
  { resource, put, path }: { resource: Resource; put: Operation; path: string },
): Promise<Exchange | undefined> {
  const operations = { ...resource.operations, create: put };
  const plan = planBodies(document, { ...resource, operations });
  const marker = 'to be changed {{run}}';
  for (const body of fullBodies(document, plan, marker)) {
    const one = createCase(
      put,
      'by a new name',
      toBodyText(plan, body),
      { kind: 'call' },
      2,
      marker,
    );
    const made = await session.call({ ...one, path });
    if ((made?.response?.status ?? 500) < 300) return made;
  }
  return undefined;
}

/** A new value for the parameter that names an item, of those that only the run sends. */
function newNameFor(operation: Operation): string | undefined {
  const name = idParameterOf(operation);
  const described = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  return described && freshValue(described.schema);
}
