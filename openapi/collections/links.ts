import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { singular, toPlainName } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { type Operation, successOf } from '../model/operation.ts';
import { idParameterOf } from '../model/resource.ts';
import { flatten, type RawDocument } from '../schema.ts';
import type { Candidate } from './candidate.ts';
import { isHinted } from './operations-on.ts';
import { itemOf, sentSchemaOf } from './success.ts';

/** A place that lists items of another one, and the home of these. */
export type Listing = { part: Candidate; home: Candidate };

/**
 * Marks a place whose operations say which items of another place belong there, and make none: `PUT
 * /teams/{team}/members/{user}`, or a POST whose body has an id alone. Returns whether it is one.
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
  const post = at(shapeOf(path)).find(
    (one) => one.method === 'POST' && memberOf(raw, one, [path, home.resource.path]) !== undefined,
  );
  const makes = [own.create, own.createMany].some((one) => one && one !== post);
  const changes = own.update || (own.replace && own.replace !== put);
  if ((!put && !post) || makes || changes || (post && setsMore(raw, post, home))) return false;
  const read = onItem.find(
    ({ method, responses }) =>
      method === 'GET' && responses.some(({ status }) => status === '204') && states404(responses),
  );
  if (post) post.linksBy = memberOf(raw, post, [path, home.resource.path]);
  if (put) put.linksBy = '';
  for (const one of [put, post, read]) if (one) one.lacks = undefined;
  Object.assign(own, {
    ...(put && { replace: put }),
    ...(post && { create: post }),
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

/** The member of a body that names items by their ids: `id`, `userId` or a list of these. */
function memberOf(raw: RawDocument, one: Operation, paths: readonly string[]): string | undefined {
  const nouns = paths.map((path) => toPlainName(singular(lastWordOf(path))));
  const wanted = ['', ...nouns].flatMap((noun) => [`${noun}id`, `${noun}ids`]);
  const { properties } = flatten(raw, sentSchemaOf(one));
  return Object.keys(properties).find((name) => wanted.includes(toPlainName(name)));
}

/** Whether a body sets what items have besides their id, or says more than a word of the link. */
function setsMore(raw: RawDocument, one: Operation, { resource }: Candidate): boolean {
  const { item, idProperty } = resource;
  const names = Object.keys(flatten(raw, sentSchemaOf(one)).properties);
  const isOwn = (name: string) => name !== idProperty && Object.hasOwn(item.properties, name);
  return names.length > 2 || names.some(isOwn);
}
