import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { toNoun, toPlainName } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { type Operation, successOf } from '../model/operation.ts';
import { idParameterOf } from '../model/resource.ts';
import { flatten, type RawDocument } from '../schema.ts';
import type { Candidate } from './candidate.ts';
import { isHinted } from './operations-on.ts';
import { objectAlternative } from './schema-types.ts';
import { bodySchemaOf, itemOf, sentSchemaOf } from './success.ts';

/** A place that lists items of another one, and the home of these. */
export type Listing = { part: Candidate; home: Candidate };

/**
 * Marks a place whose operations say which items of another place belong there, and make none: `PUT
 * /teams/{team}/members/{user}`, or a POST whose body has an id alone. A PATCH or PUT of the list may
 * list all that belong there. Returns whether it is one.
 */
export function markLinks(
  raw: RawDocument,
  { part, home }: Listing,
  operationsAt: (shape: string) => readonly Operation[],
): boolean {
  const { resource } = part;
  const { path, operations: own } = resource;
  // An id alone is all that such an item is made of.
  if (Object.keys(home.resource.item.properties).length < 2) return false;
  const at = (shape: string) => operationsAt(shape).filter((one) => !isHinted(one));
  const onItem = at(`${shapeOf(path)}/{}`);
  const put = onItem.find(
    (one) =>
      /^(PUT|POST)$/.test(one.method) &&
      !setsMore(raw, one, home) &&
      showsNoOther(raw, one, resource.idProperty),
  );
  const [post, replaceMany, updateMany] = ['POST', 'PUT', 'PATCH'].map((method) =>
    at(shapeOf(path)).find(
      (one) => one.method === method && memberOf(raw, one, [part, home]) !== undefined,
    ),
  );
  const makes = [own.create, own.createMany].some((one) => one && one !== post);
  const changes = own.update || (own.replace && own.replace !== put);
  if ((!put && !post) || makes || changes || (post && setsMore(raw, post, home))) return false;
  const read = onItem.find(
    ({ method, responses }) =>
      method === 'GET' && responses.some(({ status }) => status === '204') && states404(responses),
  );
  const byBody = [post, replaceMany, updateMany];
  for (const one of byBody) if (one) one.linksBy = memberOf(raw, one, [part, home]);
  if (put) put.linksBy = '';
  for (const one of [put, ...byBody, read]) if (one) one.lacks = undefined;
  Object.assign(own, {
    ...(put && { replace: put }),
    ...(post && { create: post }),
    ...(replaceMany && { replaceMany }),
    ...(updateMany && { updateMany }),
    ...(read && { read: own.read ?? read }),
  });
  delete resource.givenAs;
  Object.assign(resource, { linksTo: home.resource.name, givenId: 'inPath' });
  return true;
}

function states404(responses: Operation['responses']): boolean {
  return responses.some(({ status }) => status === '404');
}

/** Whether an operation answers with nothing, or with what has an id, or the one in its path. */
function showsNoOther(raw: RawDocument, one: Operation, idProperty: string): boolean {
  const shown = flatten(raw, itemOf(raw, one) ?? successOf(one));
  const ids = [idProperty, idParameterOf(one) ?? idProperty];
  return (
    successOf(one) === undefined || ids.some((id) => describedAt(raw, shown, id) !== undefined)
  );
}

/**
 * The member of a body that names items by their ids: `id`, `userId`, a list of these, or a list of
 * objects with no more than an id and a type (JSON:API 1.1, Updating To-Many Relationships).
 */
export function memberOf(
  raw: RawDocument,
  one: Operation,
  places: readonly Candidate[],
): string | undefined {
  const nouns = places.map(({ resource }) => toNoun(lastWordOf(resource.path)));
  const wanted = ['', ...nouns].flatMap((noun) => [`${noun}id`, `${noun}ids`]);
  const { properties } = flatten(raw, sentSchemaOf(one));
  const names = Object.keys(properties);
  const idProperty = places[0]?.resource.idProperty ?? '';
  const holdsIds = (name: string) => {
    const { items } = objectAlternative(raw, properties[name]) ?? {};
    const own = Object.keys(flatten(raw, items).properties);
    return own.includes(idProperty) && own.every((key) => key === idProperty || key === 'type');
  };
  return names.find((name) => wanted.includes(toPlainName(name))) ?? names.find(holdsIds);
}

/** Whether a body sets what items have besides their id, or says more than a word of the link. */
function setsMore(raw: RawDocument, one: Operation, { resource }: Candidate): boolean {
  const { item, idProperty } = resource;
  const names = Object.keys(flatten(raw, bodySchemaOf(raw, one)).properties);
  const isIdentity = (name: string) =>
    name === idProperty || (name === 'type' && names.includes(idProperty));
  const isOwn = (name: string) => !isIdentity(name) && Object.hasOwn(item.properties, name);
  return names.length > 2 || names.some(isOwn);
}
