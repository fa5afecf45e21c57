import { wordsOf } from '../description/collections/plain-name.ts';
import { singular } from '../description/collections/words.ts';
import type { ApiDocument, Operation, Resource } from '../description/document.ts';
import { membersOf, parseJson } from '../json.ts';
import { exampleBody } from './example-call.ts';

/** Words of names of what an action takes from, gives to or puts together with another item. */
const others = new Set(
  'another dest destination duplicate from into other recipient sender source target to with'.split(
    ' ',
  ),
);

/**
 * Whether an action may name another item of its collection, which the run has not created:
 * `POST /accounts/{id}/merge` with `{"accountId": 1}`. Its value would be made up or an example.
 */
export function namesAnother(
  document: ApiDocument,
  operation: Operation,
  { path }: Pick<Resource, 'path'>,
): boolean {
  const [noun = ''] = wordsOf(
    path.split('/').findLast((part) => !part.startsWith('{')) ?? '',
  ).slice(-1);
  const isNamed = (name: string, value: unknown) => {
    const words = wordsOf(name);
    const isId = /^(ids?|uuids?|numbers?)$/.test(words.at(-1) ?? '') || typeof value === 'number';
    return isId && words.some((word) => others.has(word) || singular(word) === singular(noun));
  };
  const depth = path.split('/').length + 1;
  const below = operation.path
    .split('/')
    .slice(depth)
    .filter((part) => part.startsWith('{'));
  const queries = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const body = exampleBody(document, operation);
  const fields = (body && 'text' in body && membersOf(parseJson(body.text))) || {};
  return (
    below.some((part) => isNamed(part.slice(1, -1), 0)) ||
    queries.some(({ name }) => isNamed(name, 0)) ||
    Object.entries(fields).some(([name, value]) => isNamed(name, value))
  );
}
