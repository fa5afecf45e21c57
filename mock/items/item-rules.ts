import { isObject } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { generateValue, mendItem } from '../../openapi/values/generate.ts';
import { withinTries } from '../../openapi/values/make-options.ts';
import { listsStandIn } from '../../openapi/values/plain-schema.ts';
import { parseExact } from '../json/exact-json.ts';
import { compilerOf, createFits, fits, type Problem } from '../json/validator.ts';
import type { Fields } from './stored-item.ts';

/** Checks and mends the items of a collection by the schemas of answers. */
export type ItemRules = {
  isValid(item: Fields): boolean;
  /**
   * Makes an item with an id valid: invalid parts are regenerated, and missing ones added. If that
   * fails, returns the item unchanged or, with `mayBeOther`, another item with its valid parts.
   */
  toValid(item: Fields, seed: number, mayBeOther?: boolean): Fields;
  /** Returns the problems of an item's JSON; undefined if there are none. */
  findProblems(text: string): Problem[] | undefined;
};

/** Reads the rules of collections; a schema that several share is compiled once, at first need. */
export const itemRulesOf = oncePer((document: Api) => {
  const describe = document.schemas.describeShown;
  const toRules = oncePer((schema: Schema): ItemRules => {
    const isValid = createFits(document, schema);
    let attempts = maxAttempts;
    return {
      isValid,
      toValid(item, seed, mayBeOther = false) {
        if (isValid(item)) return item;
        const within = withinTries((part, value) => fits(document, part, value));
        for (let attempt = 0; attempt < attempts; attempt++)
          try {
            const options = { seed: seed + attempt, describe, own: true, fits: within };
            const mended = mendItem(item, schema, options);
            if (mended) return withFitting(mended, item, isValid);
            const made = mayBeOther && generateValue(schema, options);
            if (isObject(made) && isValid(made)) return withFitting(made, item, isValid);
          } catch {
            // Not every pattern can be met.
          }
        // Other items are most likely beyond mending too.
        attempts = 1;
        return item;
      },
      findProblems: (text) =>
        compilerOf(document)(schema, 'writeOnly')(parseExact(text), text.length),
    };
  });
  const shared = new Map<string, Schema>();
  return oncePer((resource: Resource): ItemRules => {
    const parts = document.schemas.answeredItems(resource);
    const isNamed = parts.length > 0 && parts.every(({ $ref }) => $ref !== undefined);
    const key = isNamed ? parts.map(({ $ref }) => $ref).join() : resource.name;
    const schema = shared.get(key) ?? schemaOfAnswers(document, resource);
    shared.set(key, schema);
    return toRules(schema);
  });
});

/** Returns a valid item with each field of another with which it is valid. */
function withFitting(item: Fields, other: Fields, isValid: ItemRules['isValid']): Fields {
  let whole = item;
  for (const [name, value] of Object.entries(other)) {
    const one = { ...whole, [name]: value };
    if (isValid(one)) whole = one;
  }
  return whole;
}

/** Bounds the seeds that are tried if a schema has rules beyond the generator. */
const maxAttempts = 4;

/**
 * Returns the schema of items that every operation can return. Properties that an operation does
 * not describe are left out of its answers, so they are allowed.
 */
function schemaOfAnswers(document: Api, resource: Resource): Schema {
  const { describeShown, shareType } = document.schemas;
  const schemas = document.schemas.answeredItems(resource).map((schema): Schema => {
    if (!isPlain(document, schema)) return schema;
    const { properties, required } = describeShown(schema);
    const needed = [...required, ...resource.item.required];
    // Answers show what their own list has for a value of another. Where no value fits two of them, one
    // that items need not have is left out, and any other is as the item has it.
    const toOwn = ([name, one]: [string, Schema]) => {
      const own = resource.item.properties[name] ?? one;
      const isApart = needed.includes(name) && !shareType(one, own);
      return [name, isApart || listsStandIn(one, own, describeShown) ? own : one];
    };
    const shown = Object.fromEntries(Object.entries(properties).map(toOwn));
    return { type: 'object', properties: shown, required };
  });
  const [first = { type: 'object', ...resource.item }, ...others] = schemas;
  return others.length === 0 ? first : { allOf: schemas };
}

/** Lists the keywords of schemas in which properties alone restrict an object. */
const plainKeywords = new Set(
  (
    '$ref allOf type properties required title description example examples default deprecated ' +
    'externalDocs xml additionalProperties readOnly writeOnly $id $schema $comment $defs'
  ).split(' '),
);

function isPlain(document: Api, node: Schema, depth = 0): boolean {
  const schema = document.schemas.resolve(node);
  const keywords = Object.keys(schema).filter((keyword) => !keyword.startsWith('x-'));
  const isOpen = typeof schema.additionalProperties !== 'object' || !schema.additionalProperties;
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as Schema[]) : [];
  return (
    depth < 10 &&
    isOpen &&
    keywords.every((keyword) => plainKeywords.has(keyword)) &&
    parts.every((part) => isPlain(document, part, depth + 1))
  );
}
