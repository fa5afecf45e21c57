import { isObject, stringifyExact } from '../../common/json.ts';
import type { Operation, Reference } from '../../openapi/index.ts';
import { bodyOf, toErrorAnswer } from '../answers/answer.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { type ByteText, toByteText, toIdText } from '../json/exact-json.ts';
import { createShow } from '../state/scopes.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';

/** Parameters, and members of bodies, that name what is to be shown whole. */
const asking = /^(expand|include|embed|populate)s?(\[\])?$/i;

/** How deep the items of an answer are: in a list, which is in an object. */
const maxDepth = 2;

/** How many bytes an answer and what it shows whole may have together, as each is parsed. */
const maxBytes = 16 * 1024 * 1024;

const tooLarge = toErrorAnswer(
  'out_of_room',
  'The response, with what it is to show whole, has more than 16 MiB. Ask for fewer items, or for their ids alone.',
);

/**
 * Replaces the ids of referenced items by the items, if the request asks for it
 * (`expand[]=customer`, for a list also `expand[]=data.customer`).
 */
export function withExpanded(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const references = (resource.references ?? []).filter(({ isExpandable }) => isExpandable);
  if (references.length === 0) return behaviour;
  const toTarget = ({ collection }: Reference) => {
    const target = document.resources.find(({ name }) => name === collection);
    return { collection, show: (target && createShow(target)) ?? ((json: ByteText) => json) };
  };
  const targets = new Map(references.map((one) => [one.property, toTarget(one)]));
  return async (call) => {
    const names = namesIn(call, operation).filter((name) => targets.has(name));
    const answer = await behaviour(call);
    const hasContent = 'json' in answer && answer.json !== '';
    if (names.length === 0 || !hasContent || answer.status >= 300) return answer;
    let bytes = answer.json.length;
    const expand = async (value: unknown, depth: number): Promise<unknown> => {
      if (Array.isArray(value)) return Promise.all(value.map((one) => expand(one, depth)));
      if (!isObject(value) || depth > maxDepth) return value;
      const entries = Object.entries(value).map(async ([name, held]) => {
        const target = names.includes(name) && typeof held === 'string' && targets.get(name);
        if (!target) return [name, await expand(held, depth + 1)] as const;
        const json = await call.store.get(target.collection, toIdText(held));
        bytes += json?.length ?? 0;
        if (!json || bytes > maxBytes) return [name, held] as const;
        return [name, fieldsOf(target.show(json))] as const;
      });
      return Object.fromEntries(await Promise.all(entries));
    };
    if (bytes > maxBytes) return tooLarge;
    const expanded = await expand(bodyOf(answer), 0);
    if (bytes > maxBytes) return tooLarge;
    return { ...answer, json: toByteText(stringifyExact(expanded)) };
  };
}

/** The properties that a request asks for, without the list that they are in. */
function namesIn({ parameters, query, body }: Call, { itemsAt = [] }: Operation): string[] {
  const sent = [parameters?.query ?? query, isObject(body) ? body : {}];
  const asked = sent.flatMap((values) =>
    Object.entries(values).flatMap(([name, value]) => (asking.test(name) ? [value] : [])),
  );
  const before = itemsAt.map((key) => `${key}.`).join('');
  return asked
    .flat()
    .flatMap((one) => String(one).split(','))
    .map((name) => (before !== '' && name.startsWith(before) ? name.slice(before.length) : name));
}
