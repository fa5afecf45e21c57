import { textOf } from '../../common/text-of.ts';
import { formsOf, namesLike, toPlainName, wordsOf } from '../../common/words.ts';
import { typesOf } from '../model/id-form.ts';
import { type Operation, proseOf, type Stamp, type TimeForm } from '../model/operation.ts';
import type { Resource } from '../model/resource.ts';
import {
  createCache,
  type FlatSchema,
  flatten,
  listedValuesOf,
  type RawDocument,
  resolve,
  type Schema,
} from '../schema.ts';
import { isNullable, objectAlternative, shareType } from './schema-types.ts';
import { bodySchemaOf } from './success.ts';
import { timeFormOf } from './timestamps.ts';

/** Verbs that `restore` undoes. */
const deletions = ['trash', 'delete', 'archive', 'remove'];

/** The changes that an action makes to an item. */
export type Effect = Pick<Operation, 'sets' | 'stamps' | 'takes' | 'takesValueOf'>;

/** An action's word, whether it undoes that, the items, and whether a GET shows the word by itself. */
type Action = { word: string; isUndone: boolean; resource: Resource; isShown?: boolean };

/**
 * Returns the effect of an action on an item. It sets the state that is a form of its word, as
 * `cancelled` is of `cancel`, a flag of that name, such as `favorited`, and its time, such as
 * `cancelledAt`. `unfavorite` and DELETE unset the flag, and make its time and what the word names null;
 * DELETE removes what may be left out.
 * Properties of the item in its body are set too.
 */
export function effectOf(
  raw: RawDocument,
  operation: Operation,
  { word, isUndone, resource: { item, idProperty }, isShown = false }: Action,
): Effect {
  const said = wordsOf(word)
    .join('-')
    .replace(/^(mark|set)-(as-)?/, '');
  const verb = said.replaceAll('-', '').replace(/^re(?=activate|enable|open)/, '');
  const opposite = verb.replace(/^disable/, 'enable').replace(/^resume$/, 'pause');
  const [undone = '', ...others] =
    verb === 'restore' ? deletions : [opposite.replace(/^(un|de|dis)/, '')];
  // An item that one did `check-in` is `checked_in`.
  const [first = '', ...particle] = said.split('-');
  const ofFirst = particle.length === 1 ? formsOf(first) : [];
  const forms = [...formsOf(verb), ...ofFirst.map((one) => `${one}${particle[0]}`)];
  // `DELETE /tickets/{id}/assignee` leaves none.
  const cleared = [verb, `${verb}id`];
  const ofOpposite = isUndone || undone !== verb ? [undone, ...others].flatMap(formsOf) : [];
  const takes = Object.keys(flatten(raw, bodySchemaOf(raw, operation)).properties).filter(
    (name) => name !== idProperty && Object.hasOwn(item.properties, name),
  );
  const taken = takes.length > 0 || isUndone ? undefined : valueTaken(raw, operation, [word, item]);
  const sets: [string, unknown][] = [];
  const stamps: Stamp[] = [];
  const prose = proseOf(operation);
  // A GET of its own shows another object, which DELETE deletes; a body says what part of it.
  const isOther = isUndone && (isShown || takes.length > 0);
  for (const { name, property, values, flag, done, isFlag, time } of factsOf(raw, item)) {
    // An item that is no longer suspended is active.
    const lifted = toValue(values, ofOpposite) ?? 'active';
    const isLifted = toPlainName(textOf(lifted)) !== 'active';
    const called = isUndone ? undefined : toValue(values, isLifted ? [...forms, 'active'] : forms);
    // A property in the body may have another value.
    const stated = takes.includes(name) ? undefined : saidValue(prose, name, values);
    const value = called ?? stated;
    const form = isUndone ? undefined : time;
    // `unassign` takes back the `assignee_id` or `assigned_to`.
    const isOfOpposite = ofOpposite.includes(flag.replace(/(ee|to|by)?(id)?$/, ''));
    const isCalled = time
      ? ofOpposite.includes(done)
      : isOfOpposite || (isUndone && cleared.includes(flag));
    const isCleared = isCalled && !isOther;
    if (value !== undefined) sets.push([name, value]);
    else if (isFlag && forms.includes(flag)) sets.push([name, !isUndone]);
    else if (isFlag && ofOpposite.includes(flag)) sets.push([name, false]);
    else if (form && forms.includes(done)) stamps.push({ property: name, form });
    else if (isCleared && isNullable(raw, property)) sets.push([name, null]);
    else if (isCleared && isUndone && !item.required.includes(name)) sets.push([name, undefined]);
  }
  // A `cancel` elsewhere is what may be done, if something becomes `cancelled`.
  const states = sets.filter(([, value]) => toPlainName(textOf(value)) !== verb);
  const chosen = states.length > 0 ? states : sets;
  return {
    ...(chosen.length > 0 && { sets: Object.fromEntries(chosen) }),
    ...(stamps.length > 0 && { stamps }),
    ...(takes.length > 0 && { takes }),
    ...(taken !== undefined && { takes: [taken], takesValueOf: taken }),
  };
}

/** Facts of a property that any action asks for: its values, the word that it flags or dates, and how. */
type Facts = {
  name: string;
  property: Schema;
  values: readonly unknown[];
  flag: string;
  done: string;
  isFlag: boolean;
  time: TimeForm | undefined;
};

const facts = createCache<readonly Facts[]>();

/** Looks at the properties of items once, for all actions on them. */
function factsOf(raw: RawDocument, { properties }: FlatSchema): readonly Facts[] {
  const known = facts.of(raw);
  const found =
    known.get(properties) ??
    Object.entries(properties).map(([name, property]) => {
      const flag = wordsOf(name.replace(/^is(?=[A-Z_])/, '')).join('');
      return {
        name,
        property,
        values: valuesOf(raw, name, property),
        flag,
        done: flag.replace(/(at|on|date|time)$/, ''),
        isFlag: typesOf(resolve(raw, property)).includes('boolean'),
        time: timeFormOf(raw, name, property),
      };
    });
  known.set(properties, found);
  return found;
}

/**
 * Returns the property called as the last word of a path whose value is the body, or its only member:
 * `shipping_address` for `PUT /carts/{id}/shipping-address {street, city}`.
 */
function valueTaken(
  raw: RawDocument,
  operation: Operation,
  [word, item]: readonly [string, FlatSchema],
): string | undefined {
  const name = namesLike(item.properties, toPlainName(word))[0];
  const [property, sent] = [
    item.properties[name ?? ''],
    flatten(raw, bodySchemaOf(raw, operation)),
  ];
  const names = Object.keys(sent.properties);
  const object = objectAlternative(raw, property);
  if (!property || object?.items || names.length === 0) return undefined;
  const own = flatten(raw, object).properties;
  const isWhole = names.every((one) => Object.hasOwn(own, one));
  const only = sent.properties[names[0] ?? ''];
  const isOnly = names.length === 1 && only && shareType(raw, only, property);
  return isWhole || isOnly ? name : undefined;
}

/**
 * The one value that the prose of an action says a property to have after it, such as "The status is
 * `closed` then."; a sentence with a condition says what it has before.
 */
function saidValue(prose: string, name: string, values: readonly unknown[]): unknown {
  if (values.length === 0) return undefined;
  const said = prose.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
    const property = wordsOf(name).at(-1);
    const becomes = `\\b${property}\\b[^\`'"]*\\b(?:is|be|becomes?|to|as)\\s+[\`'"](\\w+)[\`'"]`;
    const [, value] = new RegExp(becomes, 'i').exec(sentence) ?? [];
    return conditional.test(sentence) ? [] : values.filter((one) => one === value);
  });
  return new Set(said).size === 1 ? said[0] : undefined;
}

/** Words of sentences on what must be so before an action. */
const conditional = /\b(if|whose|while|must|only|can|cannot|not|unless|already)\b/i;

/** The values of an `enum`, or those of a state that its description names, as `paid` or PAID. */
function valuesOf(raw: RawDocument, name: string, property: Schema): unknown[] {
  const schema = objectAlternative(raw, property) ?? {};
  if (Array.isArray(schema.enum)) return schema.enum;
  const listed = listedValuesOf(schema);
  if (listed.length > 0) return listed;
  if (!/(state|status)$/i.test(name) || !typesOf(schema).includes('string')) return [];
  const marked = /[`'"]([\w-]+)[`'"]|\b([A-Z][A-Z_]{2,})\b/g;
  const { description = '' } = schema;
  return [...description.matchAll(marked)].map(([, quoted, capitals]) => quoted ?? capitals);
}

/** The one value that is a form of a word, that of what is done first. */
function toValue(values: readonly unknown[], forms: readonly string[]): unknown {
  const plain = values.map((one) => toPlainName(textOf(one)));
  const form = forms.find((one) => plain.includes(one));
  return form === undefined ? undefined : values[plain.indexOf(form)];
}
