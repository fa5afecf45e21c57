import type { LinkAs, ListField } from '../../contracts/description/collections/list-fields.ts';
import type { ListForm } from '../../contracts/description/collections/list-form.ts';
import {
  isNullable,
  objectAlternative,
  typesOf,
} from '../../contracts/description/collections/schema-types.ts';
import type { ApiDocument, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';

import { valueIn } from '../../contracts/description/property-path.ts';

import { stringifyExact } from '../../contracts/json-text.ts';

import { generateNamed } from '../../fixtures/generate.ts';
import { type ByteText, toByteText } from '../json/exact-json.ts';
import { factOf, type ListPage, type PageStep } from './list-page.ts';

/** Makes the JSON of an answer that holds a page of a list. */
export type RenderList = (
  page: ListPage,
  toUrl: (step: PageStep | undefined) => string,
) => ByteText;

export type ListAnswerOptions = {
  document: ApiDocument;
  schema: Schema;
  form: ListForm;
  /** An example of the answer, for what nobody else says. */
  example: unknown;
  /** How other pages are named where no schema says. */
  defaultAs: LinkAs;
  /** Whether it holds all that is described, not only what is required or known. */
  isFull: boolean;
};

/** What a part of an answer becomes; undefined where it is left out. */
type Part = (render: Rendering) => ByteText | undefined;

type Rendering = { page: ListPage; toUrl: (step: PageStep | undefined) => string; items: ByteText };

/** What stands for a fact that there is none of. */
type Absent = 'null' | 'left out' | 'empty' | 'this page';

const nothing = toByteText('null');

/**
 * Makes what renders the answers of a list: its items, what is known of the list, and what else its
 * schema requires, from constants, examples and defaults, or made up.
 */
export function createRenderList(options: ListAnswerOptions): RenderList {
  const { pointer } = options.form;
  const render = pointer.length === 0 ? renderItems : toPart(options, options.schema, []);
  return (page, toUrl) =>
    render({ page, toUrl, items: `[${page.items.join(',')}]` as ByteText }) ?? nothing;
}

const renderItems: Part = ({ items }) => items;

function toPart(options: ListAnswerOptions, schema: Schema, path: readonly string[]): Part {
  const { document, form } = options;
  const inner = objectAlternative(document.raw, schema) ?? {};
  const { properties, required } = describeShown(document, inner);
  const members = Object.entries(properties).flatMap(([name, property]) => {
    const at = [...path, name];
    const isRequired = required.includes(name);
    const part = toMember(options, property, { at, isRequired });
    return part ? [{ key: toByteText(`${JSON.stringify(name)}:`), part }] : [];
  });
  // What the items are in may be named nowhere else.
  const isItems = isSame(form.pointer, path);
  if (isItems) return renderItems;
  return (rendering) => {
    const shown = members.flatMap(({ key, part }) => {
      const text = part(rendering);
      return text === undefined ? [] : [`${key}${text}`];
    });
    return `{${shown.join(',')}}` as ByteText;
  };
}

type Member = { at: readonly string[]; isRequired: boolean };

function toMember(
  options: ListAnswerOptions,
  property: Schema,
  { at, isRequired }: Member,
): Part | undefined {
  const { document, form } = options;
  if (isSame(form.pointer, at)) return renderItems;
  const field = form.fields.find(({ path }) => isSame(path, at));
  const absent = isNullable(document.raw, property) ? 'null' : isRequired ? undefined : 'left out';
  if (field) return toFact(options, field, absent ?? emptyOf(options, property));
  const below = form.fields.filter(({ path }) => startsWith(path, at));
  const [only] = below;
  const isLink = below.length === 1 && only?.path.length === at.length + 1;
  if (below.length > 0 || startsWith(form.pointer, at)) {
    const part = toPart(options, property, at);
    // An object that is a link goes where there is no page to link to.
    const own = isLink && absent && only ? toFact(options, only, 'left out') : undefined;
    if (!own) return part;
    return (rendering) =>
      own(rendering) !== undefined ? part(rendering) : absent === 'null' ? nothing : undefined;
  }
  const value = toKnown(options, property, { at, isRequired });
  if (value === undefined) return undefined;
  const text = toByteText(stringifyExact(value));
  return () => text;
}

function toFact(
  { defaultAs }: ListAnswerOptions,
  { role, as = defaultAs }: ListField,
  absent: Absent,
): Part {
  return ({ page, toUrl }) => {
    const fact = factOf(page, role, { as, toUrl });
    if (fact !== null) return toByteText(JSON.stringify(fact));
    if (absent === 'left out') return undefined;
    if (absent === 'null') return nothing;
    return toByteText(JSON.stringify(absent === 'empty' ? '' : toUrl(undefined)));
  };
}

/** What stands for a page that is not there, where a value is required. */
function emptyOf({ document }: ListAnswerOptions, property: Schema): Absent {
  const { format, minLength, pattern } = objectAlternative(document.raw, property) ?? {};
  const isAny = format === undefined && minLength === undefined && pattern === undefined;
  return isAny ? 'empty' : 'this page';
}

/** The value of what is no fact of the list; undefined where it is left out. */
function toKnown(
  { document, example, isFull }: ListAnswerOptions,
  property: Schema,
  { at, isRequired }: Member,
): unknown {
  const { raw } = document;
  const schema = objectAlternative(raw, property) ?? {};
  const types = typesOf(schema);
  const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
  if ('const' in schema) return schema.const;
  const given = valueIn(example, at);
  if (given !== undefined && (isRequired || isScalar(given))) return given;
  const [only, ...others] = Array.isArray(schema.enum) ? schema.enum : [];
  if (only !== undefined && others.length === 0) return only;
  const own = [schema.default, schema.example, schema.examples?.[0]].find(
    (one) => one !== undefined,
  );
  if (own !== undefined && (isRequired || isScalar(own))) return own;
  if (!isRequired && !isFull) return undefined;
  const name = at.at(-1) ?? '';
  if (types.includes('boolean')) return /^(success|ok|succeeded)$/i.test(name);
  if (types.includes('array') && !schema.minItems) return [];
  return generateNamed(name, property, {
    seed: 1,
    describe: (inner) => describeShown(document, inner),
  });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && startsWith(left, right);
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return path.length >= start.length && start.every((key, index) => key === path[index]);
}
