import type { JsonObject } from '../common/json.ts';
import { number } from '../common/look/amounts.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code } from '../common/look/parts.ts';
import { toPlainText, toShortJson } from './json-view.ts';
import { listOf, nameOf, toShape } from './schema-shape.ts';
import type { View } from './site.ts';

/** Up to so many values are listed at once; more open on demand. */
const maxValues = 10;

/** A value of more characters is not shown among words. */
const maxShown = 100_000;

/** The type of a schema in a few words, e.g. `array of Pet` or `integer (int64) or null`. */
export function typeWords(view: View, schema: unknown, depth = 0): Markup {
  if (schema === false) return html`nothing`;
  const { schemas } = view.site.document;
  const { layers, fields, groups } = toShape(schemas, schema);
  const first = (keyword: string) =>
    layers.find((layer) => layer[keyword] !== undefined)?.[keyword];
  const name = nameOf(schema);
  // JSON Schema has seven types.
  const types = [first('type') ?? []].flat().slice(0, 7).map(toPlainText);
  const items = first('items');
  const isNullable = first('nullable') === true && !types.includes('null');
  const format = first('format');
  const orNull = types.length > 1 && types.includes('null') ? ' or null' : isNullable && ' or null';
  const plain = types.filter((type) => type !== 'null' || types.length === 1);
  const link = name === undefined ? undefined : schemaLink(view, name);
  if (plain.includes('array') || (plain.length === 0 && items !== undefined)) {
    const ofItems =
      items !== undefined && depth < 4 && html` of ${typeWords(view, items, depth + 1)}`;
    return link ? html`${link} (array)${orNull}` : html`array${ofItems}${orNull}`;
  }
  const kind =
    plain.join(' or ') ||
    (fields.size > 0 && 'object') ||
    (groups.length > 0 && groupWords(view, groups[0]?.title ?? '', groups[0]?.schemas ?? [])) ||
    (layers.some((layer) => layer.enum !== undefined || layer.const !== undefined) && 'value') ||
    'any value';
  const detail = typeof format === 'string' && format !== '' && html` (${format})`;
  if (link && kind === 'object') return html`${link}${orNull}`;
  return link ? html`${link} (${kind})${orNull}` : html`${kind}${detail}${orNull}`;
}

function groupWords(view: View, title: string, schemas: readonly unknown[]): Markup {
  const names = schemas.map(nameOf);
  return names.length <= 3 && names.every((name) => name !== undefined)
    ? html`${title.toLowerCase()} ${names.map((name, index) => html`${index > 0 && ', '}${schemaLink(view, name)}`)}`
    : html`${title.toLowerCase()} ${number(schemas.length)}`;
}

/** The name of a schema below `components`, linked to its page. */
export function schemaLink({ site, root }: View, name: string): Markup {
  const path = site.paths.schemas.get(name);
  return path === undefined
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${root}${path}"><bdi>${name}</bdi></a>`;
}

type Words = (value: never, schema: JsonObject) => Markup | string | false;

/** The words for each keyword of a schema. A table, so that each keyword has one row. */
const keywords: Readonly<Record<string, Words>> = {
  const: (value: unknown) => html`always ${shownValue(value)}`,
  minimum: (value: unknown, { exclusiveMinimum }) =>
    html`${exclusiveMinimum === true ? 'above' : 'at least'} ${shownValue(value)}`,
  exclusiveMinimum: (value: unknown) =>
    typeof value !== 'boolean' && html`above ${shownValue(value)}`,
  maximum: (value: unknown, { exclusiveMaximum }) =>
    html`${exclusiveMaximum === true ? 'below' : 'at most'} ${shownValue(value)}`,
  exclusiveMaximum: (value: unknown) =>
    typeof value !== 'boolean' && html`below ${shownValue(value)}`,
  multipleOf: (value: unknown) => html`a multiple of ${shownValue(value)}`,
  minLength: (value: unknown) => html`at least ${counted(value, 'character')}`,
  maxLength: (value: unknown) => html`at most ${counted(value, 'character')}`,
  pattern: (value: unknown) => html`matches ${code(toPlainText(value))}`,
  minItems: (value: unknown) => html`at least ${counted(value, 'item')}`,
  maxItems: (value: unknown) => html`at most ${counted(value, 'item')}`,
  uniqueItems: (value: unknown) => value === true && 'no item twice',
  minProperties: (value: unknown) => html`at least ${counted(value, 'field')}`,
  maxProperties: (value: unknown) => html`at most ${counted(value, 'field')}`,
  additionalProperties: (value: unknown) => value === false && 'no other fields',
  default: (value: unknown) => html`default ${shownValue(value)}`,
  example: (value: unknown) => isShort(value) && html`for example ${shownValue(value)}`,
  examples: (value: unknown) => {
    const short = listOf(value).filter(isShort).slice(0, 3);
    return short.length > 0 && html`for example ${short.map((one) => html`${shownValue(one)} `)}`;
  },
};

/** Returns the constraints of a schema besides its type, a phrase each. */
export function constraints(layers: readonly JsonObject[]): Markup[] {
  const phrases = layers.flatMap((layer) =>
    Object.entries(keywords).flatMap(([keyword, words]) => {
      const value = Object.hasOwn(layer, keyword) ? layer[keyword] : undefined;
      const phrase = value !== undefined && words(value as never, layer);
      return phrase ? [html`${phrase}`] : [];
    }),
  );
  return [...new Map(phrases.map((phrase) => [phrase.text, phrase])).values()];
}

/** The values of an enumeration; a long one is folded. */
export function enumeration(layers: readonly JsonObject[]): Markup | false {
  const values = layers.flatMap((layer) => listOf(layer.enum));
  if (values.length === 0) return false;
  const list = html`<ul class="values">${values.map((value) => html`<li>${shownValue(value)}</li>`)}</ul>`;
  return values.length <= maxValues
    ? html`<div class="enum"><span class="label">One of</span>${list}</div>`
    : html`<details class="enum"><summary>One of ${number(values.length)} values</summary>${list}</details>`;
}

/** A value as code: a text as it stands, where that is clear. */
export function shownValue(value: unknown): Markup {
  const isPlain = typeof value === 'string' && /^[^\s"'\d-](?:.*\S)?$/.test(value);
  const isWord = typeof value === 'string' && /^(?:true|false|null)$/.test(value);
  const text = isPlain && !isWord ? value : toShortJson(value, maxShown);
  if (text === undefined) return html`<span class="quiet">a value too large to show</span>`;
  return code(text);
}

/** Whether a value reads well within a sentence. */
export function isShort(value: unknown): boolean {
  return !(typeof value === 'object' && value !== null) && toPlainText(value).length <= 200;
}

function counted(value: unknown, noun: string): Markup {
  return html`${code(toPlainText(value))} ${noun}${value !== 1 && 's'}`;
}
