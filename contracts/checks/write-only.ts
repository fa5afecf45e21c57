import { membersOf } from '../../common/json.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { namesSentAlone } from '../cases/body-parts.ts';
import { type Check, called } from '../clauses/check.ts';
import { isStatedSuccess, statedSchema } from '../document/stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { itemsIn } from '../transcript/items.ts';
import { sampleOf } from '../transcript/sample.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** Checks that no response shows a property that is marked writeOnly. */
export const writeOnly: Check = {
  id: 'write-only',
  clause: {
    basis: 'standard',
    source: 'JSON Schema Validation §9.4',
    text: 'A property that is marked writeOnly is in no response.',
  },
  unheld: 'no success was received of an item with a property that is marked as writeOnly',
  needs: 'a property for requests alone',
  part: 'body',
  judge(transcript, judge) {
    const { document } = transcript;
    for (const exchange of answersOfOperations(transcript)) {
      const { operation, method } = exchange.case;
      const { status, json, unjudged } = exchange.response;
      if (!operation || method === 'HEAD' || unjudged !== undefined) continue;
      const schema =
        isStatedSuccess(operation, status) &&
        statedSchema(operation, status, headerValue(exchange, 'Content-Type'));
      const isMarking = schema && document.schemas.showsWriteOnly(schema);
      const resource = findResource(document, operation);
      const ofRequests = status < 300 && resource ? namesSentAlone(document, resource) : [];
      if (!isMarking && ofRequests.length === 0) continue;
      const ofItems = itemsIn(exchange).flatMap((item) =>
        ofRequests.filter((name) => (item[name] ?? null) !== null),
      );
      const marked = isMarking ? shownNames(document, schema, json) : [];
      const names = [...new Set([...marked, ...ofItems])];
      for (const name of names.length > 0 ? names : [undefined])
        judge.hold(name === undefined, exchange, () => ({
          message: `${called(exchange)} answers ${status} with "${name}", which the document marks as writeOnly`,
          expected: `a body without "${name}"`,
          actual: `a body with "${name}"`,
          group: `"${name}" is marked as writeOnly`,
        }));
    }
  },
};

/** How deep members are looked at: a schema may hold itself. */
const maxDepth = 6;

/** How deep in parts of parts of a schema. */
const maxParts = 3;

/** The names of marked properties that a value shows. One that is null shows nothing. */
function shownNames(document: Api, schema: Schema, value: unknown, depth = 0): string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  const parts = partsOf(document, schema);
  if (Array.isArray(value)) {
    const sample = sampleOf(value) as unknown[];
    return parts
      .flatMap(({ items }) => toSchemas(items))
      .flatMap((items) => sample.flatMap((item) => shownNames(document, items, item, depth + 1)));
  }
  const { properties } = document.schemas.describeSchema(schema);
  const others = parts.flatMap(({ additionalProperties }) => toSchemas(additionalProperties));
  return Object.entries(membersOf(value) ?? {}).flatMap(([name, member]) => {
    const described = Object.hasOwn(properties, name) ? toSchemas(properties[name]) : others;
    if (member === null) return [];
    if (described.some((one) => document.schemas.isMarked(one, 'writeOnly'))) return [name];
    return described.flatMap((one) => shownNames(document, one, member, depth + 1));
  });
}

/** A schema and the parts that it is made of, their references followed. */
function partsOf(document: Api, schema: Schema, depth = 0): Schema[] {
  const resolved = document.schemas.resolve(schema);
  const { allOf = [], oneOf = [], anyOf = [] } = resolved as Record<string, Schema[]>;
  const inner = depth < maxParts ? [...allOf, ...oneOf, ...anyOf] : [];
  return [resolved, ...inner.flatMap((part) => partsOf(document, part, depth + 1))];
}

/** The schema that a keyword holds, if it holds one. */
function toSchemas(value: unknown): Schema[] {
  return typeof value === 'object' && value !== null ? [value as Schema] : [];
}
