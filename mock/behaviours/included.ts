import { isObject, stringifyExact } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { singular, toPlainName } from '../../common/words.ts';
import type { Resource } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { bodyOf } from '../answers/answer.ts';
import { findSuccess } from '../documented/responses.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { toByteText, toIdText } from '../json/exact-json.ts';
import { createShow } from '../state/scopes.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';

/** The maximum of items that stand beside those of an answer. */
const maxIncluded = 1000;

/**
 * Adds the related items that `include` names as `included`, where the document describes that (JSON:API
 * 1.1, Inclusion of Related Resources): `include=author,comments.author`.
 */
export function withIncluded(
  behaviour: Behaviour,
  { document, operation }: ItemOperation,
): Behaviour {
  const { schemas, resources } = document;
  const success = findSuccess(operation);
  const { properties } = schemas.flatten((success && heldSchemaOf(success)) ?? {});
  const takesNames = operation.parameters.some((one) => one.in === 'query' && one.name === include);
  if (!takesNames || !Object.hasOwn(properties, 'included')) return behaviour;
  const byType = Map.groupBy(resources, ({ path }) => toTypeName(lastWordOf(path)));
  return async (call) => {
    const answer = await behaviour(call);
    const { [include]: asked } = call.parameters?.query ?? call.query ?? {};
    if (asked === undefined || !('json' in answer) || answer.json === '' || answer.status >= 300)
      return answer;
    const body = bodyOf(answer);
    if (!isObject(body)) return answer;
    const included = new Map<string, Fields>();
    const shown = [body.data].flat().filter(isObject).map(keyOf);
    const find = async (identifier: Fields): Promise<Fields | undefined> => {
      const { type, id } = identifier;
      const key = keyOf(identifier);
      const known = included.get(key);
      if (known || included.size >= maxIncluded) return known;
      const [resource, ...others] = byType.get(toTypeName(String(type))) ?? [];
      const isOne = resource !== undefined && others.length === 0;
      const json = isOne ? await call.store.get(resource.name, toIdText(id)) : undefined;
      if (!json) return undefined;
      const item = fieldsOf(showOf(resource as Resource)(json));
      included.set(key, item);
      return item;
    };
    const add = async (items: readonly unknown[], names: readonly string[]): Promise<void> => {
      const [name, ...rest] = names;
      if (name === undefined) return;
      for (const item of items) {
        const held = isObject(item) && isObject(item.relationships) && item.relationships[name];
        const found = (isObject(held) ? [held.data] : []).flat().filter(isObject).map(find);
        await add(await Promise.all(found), rest);
      }
    };
    for (const path of [asked].flat().flatMap((one) => String(one).split(',')))
      await add([body.data].flat(), path.split('.'));
    // What is shown as data stands there alone.
    const others = [...included].filter(([key]) => !shown.includes(key)).map(([, item]) => item);
    return { ...answer, json: toByteText(stringifyExact({ ...body, included: others })) };
  };
}

const include = 'include';

function keyOf({ type, id }: Fields): string {
  return `${type} ${id}`;
}

function toTypeName(type: string): string {
  return toPlainName(singular(type));
}

function showOf(resource: Resource) {
  return createShow(resource) ?? ((json: Parameters<typeof fieldsOf>[0]) => json);
}
