import { isObject, type JsonObject } from '../common/json.ts';
import { number } from '../common/look/amounts.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted } from '../common/look/parts.ts';
import { examplePhrases } from './examples.ts';
import { jsonView } from './json-view.ts';
import { markdown } from './markdown.ts';
import { assumedMark, provenance } from './provenance.ts';
import { listOf, nameOf, objectOf, type SchemaShape, toShape } from './schema-shape.ts';
import { constraints, enumeration, schemaLink, typeWords } from './schema-words.ts';
import type { View } from './site.ts';

/** Schemas that others refer to open in place so deep; deeper, they are links. */
const maxDepth = 4;

/** Groups of more alternatives are folded. */
const maxAlternatives = 8;

/** The place of a schema in a tree. */
type Place = {
  view: View;
  depth: number;
  /** The named schemas that it is in. */
  within: readonly string[];
};

type Row = {
  /** The label of the row; absent for the items of an array or an alternative. */
  label?: Markup;
  schema: unknown;
  required?: boolean;
  /** A node around the schema that says more of it, such as a parameter. */
  around?: JsonObject;
};

/** A schema as a tree that opens; the first level is open. */
export function schemaTree(view: View, schema: unknown): Markup {
  const name = nameOf(schema);
  const place = { view, depth: 0, within: name === undefined ? [] : [name] };
  return html`<div class="schema">${rowContent(place, { schema }, true)}</div>`;
}

/** A parameter or a header: its schema, and what it says itself. */
export function schemaRow(view: View, label: Markup, around: JsonObject): Markup {
  const schema = around.schema ?? Object.values<JsonObject>(around.content ?? {})[0]?.schema ?? {};
  const place = { view, depth: 0, within: [] };
  return row(place, { label, schema, around, required: around.required === true });
}

function row(place: Place, entry: Row, open = false): Markup {
  const { schema, around } = entry;
  const own = ownNodes(place.view, schema, around);
  return html`<li class="node"${assumedMark(place.view, ...own)}>${rowContent(place, entry, open)}</li>`;
}

/** The nodes that are one for a reader: what is around a schema, the schema, and what it refers to. */
function ownNodes(view: View, schema: unknown, around: JsonObject | undefined): JsonObject[] {
  return [...(around ? [around] : []), ...toShape(view.site.document.schemas, schema).own];
}

function rowContent(place: Place, entry: Row, open: boolean): Markup {
  const { view } = place;
  const { label, schema, required = false, around } = entry;
  const shape = toShape(view.site.document.schemas, schema);
  const layers = around ? [around, ...shape.layers] : shape.layers;
  const says = (keyword: string) => layers.some((layer) => layer[keyword] === true);
  const own = ownNodes(view, schema, around);
  const phrases = [...constraints(shape.layers), ...(around ? examplePhrases(view, around) : [])];
  const text = layers.find(({ description }) => typeof description === 'string');
  const badges = [
    required && html`<span class="badge is-known">required</span>`,
    says('readOnly') && html`<span class="badge is-vacuous">read-only</span>`,
    says('writeOnly') && html`<span class="badge is-vacuous">write-only</span>`,
    says('deprecated') && html`<span class="badge is-standard">deprecated</span>`,
  ];
  return html`
<p class="head">${label}${label && ' '}<span class="type">${typeWords(view, schema)}</span> ${badges}</p>
${markdown(text?.description)}
${phrases.length > 0 && html`<p class="constraints">${phrases.map((phrase, index) => html`${index > 0 && ', '}${phrase}`)}</p>`}
${enumeration(shape.layers)}
${provenance(view, ...own)}
${wholeExamples(shape.layers)}
${children(place, schema, shape, open)}`;
}

/** Examples that are objects or lists; others are among the constraints. */
function wholeExamples(layers: readonly JsonObject[]): Markup[] {
  return layers
    .flatMap(({ example, examples }) => [example, ...listOf(examples)])
    .filter((value) => typeof value === 'object' && value !== null)
    .slice(0, 3)
    .map(
      (value) =>
        html`<details class="example"><summary>Example</summary><pre tabindex="0" role="group" aria-label="Example">${jsonView(value)}</pre></details>`,
    );
}

/** Returns the content of a schema, folded unless it is the first level. */
function children(
  place: Place,
  schema: unknown,
  shape: SchemaShape,
  open: boolean,
): Markup | false {
  const parts = partsOf(shape);
  if (parts.length === 0) return false;
  const { view } = place;
  const name = nameOf(schema);
  const isNested = place.depth > 0 && name !== undefined;
  if (isNested && place.within.includes(name))
    return html`<p class="quiet">Recursive: see ${schemaLink(view, name)}.</p>`;
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const isTooMuch = (isNested && place.depth > maxDepth) || view.budget.rows < count;
  if (isTooMuch)
    return name === undefined
      ? html`<p class="quiet">There is more, too much to show here${view.site.hasFiles && html`: see <a href="${view.root}openapi.json">the document</a>`}.</p>`
      : html`<p class="quiet">See ${schemaLink(view, name)}.</p>`;
  view.budget.rows -= count;
  const inside: Place = {
    view,
    depth: place.depth + 1,
    within: name === undefined ? place.within : [...place.within, name],
  };
  // The items of a list are what its reader looks for.
  const opensOne = open && count === 1 && parts[0]?.noun === 'item';
  const content = parts.map((part) => partView(inside, part, opensOne));
  return open
    ? html`${content}`
    : html`<details><summary>${summaryOf(parts)}</summary>${content}</details>`;
}

/** Rows under a common heading. */
type Part = { title: string; rows: readonly Row[]; noun: string };

function partsOf({ layers, fields, required, groups }: SchemaShape): Part[] {
  const valuesOf = (keyword: string) => layers.flatMap((layer) => layer[keyword] ?? []);
  const rowsOf = (keyword: string, label: string): Row[] =>
    valuesOf(keyword)
      .filter(isObject)
      .map((schema) => ({ label: html`${label}`, schema }));
  const patterns = valuesOf('patternProperties').flatMap((one) => Object.entries(objectOf(one)));
  const parts: Part[] = [
    {
      title: '',
      noun: 'field',
      rows: [
        ...[...fields].map(([name, schema]) => ({
          label: code(name),
          schema,
          required: required.has(name),
        })),
        ...patterns.map(([pattern, schema]) => ({
          label: html`fields that match ${code(pattern)}`,
          schema,
        })),
        ...rowsOf('additionalProperties', 'other fields'),
      ],
    },
    {
      title: '',
      noun: 'item',
      rows: [
        ...valuesOf('prefixItems').map((schema, index) => ({
          label: html`item ${number(index + 1)}`,
          schema,
        })),
        ...rowsOf('items', 'each item').filter(({ schema }) => hasInside(schema)),
      ],
    },
    ...groups.map(({ title, schemas }) => ({
      title: schemas.length > 1 ? `${title} ${number(schemas.length)}` : title,
      noun: 'alternative',
      rows: schemas.map((schema, index) => ({ label: optionLabel(schema, index), schema })),
    })),
  ];
  return parts.filter(({ rows }) => rows.length > 0);
}

/** Whether the type of items does not say all of them. */
function hasInside(items: unknown): boolean {
  return (
    isObject(items) && Object.keys(items).some((keyword) => !['type', 'format'].includes(keyword))
  );
}

function optionLabel(schema: unknown, index: number): Markup {
  const title = isObject(schema) && typeof schema.title === 'string' ? schema.title : undefined;
  return title === undefined
    ? html`${number(index + 1)}.`
    : html`${number(index + 1)}. ${quoted(title)}`;
}

function partView(place: Place, { title, rows }: Part, open: boolean): Markup {
  const list = html`<ul class="nodes">${rows.map((entry) => row(place, entry, open))}</ul>`;
  if (title === '') return list;
  return rows.length > maxAlternatives
    ? html`<details class="alternatives"><summary>${title}</summary>${list}</details>`
    : html`<p class="label">${title}</p>${list}`;
}

function summaryOf(parts: readonly Part[]): string {
  return parts
    .map(({ title, rows, noun }) =>
      title === '' ? `${number(rows.length)} ${noun}${rows.length === 1 ? '' : 's'}` : title,
    )
    .join(', ');
}
