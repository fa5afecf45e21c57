import { shapeOf } from '../description/collections/places.ts';
import { describedAt } from '../description/described-at.ts';
import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type Resource,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import { hasAt, valueIn } from '../description/property-path.ts';
import { findIn } from '../description/stated.ts';
import { membersOf } from '../json.ts';
import { unescaped } from '../transcript/place.ts';
import { compileAnswer, type FindProblems } from '../transcript/schema/validator.ts';

type Item = Record<string, unknown>;

/** How an answer holds items: where, the schema of each, and what finds what is wrong with one. */
export type HeldItems = {
  /** The items in an answer, and what is in front of a property of one in a message. */
  itemsIn(json: unknown): { item: Item; place: string }[];
  schema: Schema;
  findProblems: FindProblems;
};

/** Makes what reads from the document how the successes of operations hold items. */
export function createHeldItems(
  document: ApiDocument,
): (operation: Operation, status: number) => HeldItems {
  const known = new Map<string, HeldItems>();
  return (operation, status) => {
    const { id, kind, itemsAt = [], responses } = operation;
    const response = findIn(responses, status);
    const key = `${id} ${response?.status}`;
    const made = known.get(key);
    if (made) return made;
    const isList = kind === 'list';
    const whole = schemaAt(document, response?.schema ?? {}, itemsAt);
    const schema = isList ? ((resolveSchema(document, whole).items ?? {}) as Schema) : whole;
    const path = itemsAt.join('.');
    const held: HeldItems = {
      schema,
      findProblems: compileAnswer(document, schema),
      itemsIn(json) {
        const shown = valueIn(json, itemsAt);
        const all = isList ? shown : [shown];
        if (!Array.isArray(all)) return [];
        return all.flatMap((item: unknown, index) => {
          const isItem = !Array.isArray(item) && membersOf(item) !== undefined;
          return isItem ? [{ item: item as Item, place: isList ? `${path}[${index}]` : path }] : [];
        });
      },
    };
    known.set(key, held);
    return held;
  };
}

function schemaAt(document: ApiDocument, schema: Schema, path: readonly string[]): Schema {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  return schemaAt(document, describeSchema(document, schema).properties[name] ?? {}, rest);
}

/**
 * The members of an item that say what it is below, as `--data` has them: properties, or members
 * named after parameters. Undefined where the call does not show it.
 */
export function findParents(
  document: ApiDocument,
  { scope = [], path: collection, item: described }: Resource,
  { path: template }: Operation,
  { path, item }: { path: string; item: Item },
): Item | undefined {
  const isBelow = shapeOf(template).startsWith(shapeOf(collection));
  const texts = isBelow ? valuesIn(template, path) : [];
  const members: Item = {};
  for (const [index, { parameter, property }] of scope.entries()) {
    if (property !== undefined && hasAt(item, property)) continue;
    const text = texts[index];
    if (text === undefined) return undefined;
    if (property === undefined) members[`{${parameter}}`] = text;
    else
      members[property] = isNumber(document, describedAt(document.raw, described, property))
        ? Number(text)
        : text;
  }
  return members;
}

function isNumber(document: ApiDocument, schema: Schema = {}): boolean {
  const types: unknown[] = [resolveSchema(document, schema).type].flat();
  return types.includes('integer') || types.includes('number');
}

/** The values that a path has for the parameters of a template. */
function valuesIn(template: string, path: string): string[] {
  const parts = template.split(/\{[^{}]*\}/).map((part) => RegExp.escape(part));
  const found = new RegExp(`^${parts.join('([^/]+)')}$`).exec(path) ?? [];
  return found.slice(1).map(unescaped);
}
