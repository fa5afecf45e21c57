import { toJson } from '../../common/json.ts';
import { topOf } from '../../common/property-path.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { mayBeComputed, saysComputed } from '../document/computed.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { isClearIn } from './bodies.ts';
import { toBodyParts, wrap } from './body-parts.ts';
import { toPlainObject } from './example-value.ts';
import { type ItemChange, type ItemFacts, idInBody, otherOf, withoutId } from './item-change.ts';
import { holdsSecret } from './made-secrets.ts';

/**
 * Replaces an item by what its body requires alone, with other values, so that what it had besides
 * must go; undefined where no such body is known.
 */
export function replacementOf(
  document: Api,
  resource: Resource,
  known: ItemFacts,
): ItemChange | undefined {
  const { item, own } = known;
  const { item: shown, idProperty, bodyForm } = resource;
  const { replace } = resource.operations;
  const body = replace && sendableBodyOf(replace);
  if (!replace || !body) return undefined;
  const { schema, form, mediaType } = body;
  const parts = toBodyParts(document, schema, bodyForm?.replace);
  const described = toPlainObject(document, parts.schema, { like: item });
  const settable = withoutId(described.properties, idProperty);
  const isSendable = (name: string, value: unknown) =>
    value !== undefined && (!form || isClearIn(form, name, value));
  const others = Object.fromEntries(
    Object.entries(settable)
      .filter(([name]) => described.required.includes(name))
      .map(
        ([name, schema]) => [name, otherOf(document, resource, known, { name, schema })] as const,
      )
      .filter(([name, other]) => isSendable(name, other)),
  );
  // A deployment may refuse another version or state; it is sent where there is nothing else.
  const isFree = (name: string) =>
    !mayBeComputed(name) && !saysComputed(document, settable[name] ?? {});
  const isAnyFree = Object.keys(others).some(isFree);
  const sent: Record<string, unknown> = {};
  for (const name of Object.keys(settable)) {
    if (!described.required.includes(name)) continue;
    sent[name] = name in others && (isFree(name) || !isAnyFree) ? others[name] : item[name];
  }
  const [optional] = Object.keys(settable).filter((name) => !(name in sent));
  if (Object.keys(sent).length === 0 && optional !== undefined)
    sent[optional] = otherOf(document, resource, known, {
      name: optional,
      schema: settable[optional],
    });
  if (!Object.entries(sent).every(([name, value]) => isSendable(name, value))) return undefined;

  const changed = Object.entries(sent)
    // A deployment may show a secret in another form, or not at all.
    .filter(([, value]) => !holdsSecret(value))
    .filter(([name, value]) => name in item && toJson(item[name]) !== toJson(value))
    .map(([name, to]) => [name, { from: item[name], to }] as const);
  const left = Object.entries(document.schemas.takesWhole(replace, resource) ? settable : {})
    .filter(([name, schema]) => !(name in sent) && name in own && !mayReturn(own[name], schema))
    .filter(([name]) => !shown.required.includes(name))
    .map(([name]) => [name, item[name]] as const);
  if (changed.length + left.length === 0) return undefined;
  const ofId = topOf(idProperty);
  const id = described.required.includes(ofId)
    ? { [ofId]: item[ofId] }
    : idInBody(resource, replace, item);
  return {
    how: 'replace',
    operation: replace,
    body: {
      mediaType,
      value: wrap(parts, { ...id, ...sent }),
      ...(form && { form }),
    },
    expected: { changed: Object.fromEntries(changed), same: {}, left: Object.fromEntries(left) },
  };
}

/** Whether an item without a value of its own may show this one all the same. */
function mayReturn(value: unknown, { default: byDefault }: Schema): boolean {
  const isEmpty = value === null || value === '' || toJson(value) === '[]';
  return isEmpty || toJson(value) === '{}' || toJson(value) === toJson(byDefault);
}
