import { isObject, stringifyExact } from '../../common/json.ts';
import { topOf, valueIn } from '../../common/property-path.ts';
import { toPlainName } from '../../common/words.ts';
import type { Parameter } from '../../openapi/index.ts';
import { bodyOf } from '../answers/answer.ts';
import { toByteText } from '../json/exact-json.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';

/** Names of parameters that list the properties to show. */
const names = /^(opt|response|return)?fields?$|^select$/;

/** Words of descriptions of parameters that leave out what items otherwise must have. */
const leavesOut =
  /\b(only|limits?|restricts?|subset|sparse|partial|selects?|which (fields|properties))\b/i;

/**
 * Shows the properties of items that a request asks for (`fields=name,age`), the id, and those that
 * items must have, unless the parameter is described as leaving out others.
 */
export function withSparseItems(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const { kind, itemsAt = [], parameters } = operation;
  const asking = parameters.find(
    (one) =>
      one.in === 'query' &&
      names.test(toPlainName(one.name)) &&
      !(one.name in resource.item.properties),
  );
  if (!asking || (kind !== 'list' && kind !== 'read')) return behaviour;
  const { schemas } = document;
  const shown = kind === 'list' ? schemas.itemsOf(operation) : schemas.itemOf(operation);
  const { required } = schemas.flatten(schemas.objectAlternative(shown ?? {}));
  const always = leavesOut.test(asking.description ?? '') ? [] : required;
  return async (call) => {
    const answer = await behaviour(call);
    const asked = namesIn(call, asking).filter((name) =>
      Object.hasOwn(resource.item.properties, name),
    );
    const hasContent = 'json' in answer && answer.json !== '';
    if (asked.length === 0 || !hasContent || answer.status >= 300) return answer;
    const kept = new Set([topOf(resource.idProperty), ...always, ...asked]);
    const body = bodyOf(answer);
    for (const item of [valueIn(body, itemsAt)].flat().filter(isObject))
      for (const name of Object.keys(item)) if (!kept.has(name)) delete item[name];
    return { ...answer, json: toByteText(stringifyExact(body)) };
  };
}

/** The properties that a request asks for; none where it asks for all. */
function namesIn({ parameters, query }: Call, { name }: Parameter): string[] {
  const values = parameters?.query ?? query;
  const asked = [values[name] ?? []].flat().flatMap((one) => String(one).split(','));
  return asked.includes('*') ? [] : asked.map((one) => one.trim().split(/[.(]/)[0] ?? '');
}
