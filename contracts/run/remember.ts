import { repeatedIn, toJson } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { uuid } from '../../openapi/model/id-form.ts';
import { planBodies } from '../cases/bodies.ts';
import { freshValue } from '../cases/fresh-value.ts';
import { hasPlaceholder } from '../cases/placeholders.ts';
import { isInProse } from '../document/stated.ts';
import { type Item, toSegment } from '../transcript/items.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { listedItems } from './listed.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';
import { unknownId } from './values.ts';

/** Remembers items that the list shows: some ids, and a plain value for each property. */
export function rememberListed({ session, document, options }: Turn): void {
  for (const resource of document.resources) {
    const items = listedItems(session, resource);
    rememberIds(session, resource, { items, seed: options.plan.seed });
    rememberValues(session, document, resource, items);
  }
}

function rememberIds(
  { values }: Session,
  { name, idProperty, idSchema }: Resource,
  { items, seed }: { items: readonly Item[]; seed: number },
): void {
  const ids = items
    .map((item) => valueAt(item, idProperty))
    .filter((id) => toSegment(id) !== undefined);
  if (ids.length > 0) {
    values.set(`id.${name}.first`, toSegment(ids[0]));
    values.set(`id.${name}.middle`, toSegment(ids[Math.floor(ids.length / 2)]));
    values.set(`id.${name}.last`, toSegment(ids.at(-1)));
  }
  const isUuid = idSchema.format === 'uuid' || ids.some((id) => uuid.test(String(id)));
  const schema = isUuid ? { ...idSchema, format: 'uuid' } : idSchema;
  for (const which of ['near', 'far', 'farther'])
    values.set(`unknown.${name}.${which}`, unknownId(schema, `${seed} ${name} ${which}`));
  if (isUuid) return;
  let largest = 0n;
  for (const id of ids)
    if ((typeof id === 'bigint' || Number.isSafeInteger(id)) && BigInt(id as number) > largest)
      largest = BigInt(id as number);
  const near = largest + 1_000_003n;
  values.set(`unknown.${name}.near`, near < 2n ** 63n ? String(near) : '1000003');
}

/**
 * Remembers plain values of items. Objects and lists may affect other items, such as the matchers
 * of a silence.
 */
function rememberValues(
  session: Session,
  document: Api,
  resource: Resource,
  items: readonly Item[],
): void {
  const { values } = session;
  const sent = planBodies(document, resource).properties;
  for (const [property, described] of Object.entries(resource.item.properties)) {
    if (property === resource.idProperty) continue;
    const planned = sent.find(({ name }) => name === property);
    const { schema = described } = planned ?? {};
    const findProblems = compileSent(document, schema);
    const given = items.flatMap((item) => (Object.hasOwn(item, property) ? [item[property]] : []));
    const usable = given.flatMap((one) => {
      const isPlain = one !== undefined && typeof one !== 'object' && toJson(one).length <= 1000;
      const isId = !isInProse(document) && session.ownership.isOthersId(String(one));
      return isPlain && !isId && findProblems(one).length === 0 ? [one] : [];
    });
    // What one item alone has may be a name by which it is found.
    const isWorded = isInProse(document) && typeof usable[0] !== 'string';
    const [value] = isWorded ? usable : repeatedIn(usable);
    const key = `known.${resource.name}.${property}`;
    if (value !== undefined) values.set(key, value);
    else
      varyText(session, key, {
        schema: document.schemas.resolve(schema),
        sample: usable[0] ?? (planned?.isReference ? undefined : planned?.made),
      });
  }
}

/** Makes texts of a form that only a pattern or an example tells differ from one body to the next. */
function varyText(
  { values }: Session,
  name: string,
  { schema, sample }: { schema: Schema; sample: unknown },
): void {
  const isFree = freshValue(schema) !== undefined;
  const isPlain = typeof sample === 'string' && !hasPlaceholder(sample);
  if (!isPlain || isFree || schema.enum !== undefined) return;
  if (unlike(sample, schema, 0) === undefined) return;
  values.vary(name, (count) => unlike(sample, schema, count) ?? sample);
}

/** Remembers the ids of items that creates of the plan made. */
export function rememberCreated({ session, document }: Turn): void {
  for (const exchange of session.transcript.exchanges) {
    const { case: testCase, made } = exchange;
    const resource = findResource(document, testCase.operation);
    const id = resource && (valueAt(made?.item, resource.idProperty) ?? made?.id);
    const segment = made?.whose === 'others' ? undefined : toSegment(id);
    if (testCase.purpose.kind !== 'create' || !resource || segment === undefined) continue;
    session.values.set(`created.${testCase.id}`, segment);
    const known = session.values.get(`known.${resource.name}.created`);
    if (known === undefined && made?.whose === 'own')
      session.values.set(`known.${resource.name}.created`, id);
  }
}

/**
 * Kinds of character to replace: the first that a text has enough of. A few letters may be a code.
 */
const kinds = [
  { signs: /[0-9]/g, alphabet: '0123456789', least: 3 },
  { signs: /[a-z]/g, alphabet: 'abcdefghijklmnopqrstuvwxyz', least: 5 },
  { signs: /[A-Z]/g, alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', least: 5 },
];

/** How many of them are replaced. */
const most = 8;

/**
 * Returns another text of the same form, with other digits at its end or, with few digits, other
 * letters. Each number gives another text while there are enough. Undefined if it does not fit the
 * schema.
 */
export function unlike(
  sample: string,
  { format, pattern }: Schema,
  number: number,
): string | undefined {
  if (format !== undefined && format !== 'email') return undefined;
  const end = format === 'email' ? sample.lastIndexOf('@') : sample.length;
  const placesOf = (one: RegExp) => [...sample.slice(0, Math.max(0, end)).matchAll(one)];
  const kind = kinds.find(({ signs, least }) => placesOf(signs).length >= least);
  if (!kind) return undefined;
  const { alphabet } = kind;
  const places = placesOf(kind.signs)
    .slice(-most)
    .map(({ index }) => index);
  const signs = sample.split('');
  let left = number;
  for (const place of places.toReversed()) {
    signs[place] = alphabet[left % alphabet.length] as string;
    left = Math.floor(left / alphabet.length);
  }
  const text = signs.join('');
  const fits = typeof pattern !== 'string' || new Pattern(pattern).test(text);
  return fits ? text : undefined;
}
