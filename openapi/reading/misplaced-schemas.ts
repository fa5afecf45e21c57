import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import type { RawDocument } from '../schema.ts';
import type { Fault } from './fault.ts';
import type { Place } from './parts.ts';
import { parameterKeywords } from './swagger.ts';

const json = 'application/json';

/** Schemas that stand where a response, a body or a media type holds them. */
export function findMisplacedSchemas(part: RawDocument, place: Place): Fault[] {
  const { pointer, root } = place;
  const isOld = root.swagger !== undefined;
  const { $ref, schema, example, content } = part;
  const setContent = (media: RawDocument) => {
    if (isOld) part.schema = media.schema;
    else part.content = { [json]: media };
  };
  if (refersToSchema(part)) {
    const mend = () => {
      delete part.$ref;
      setContent({ schema: { $ref } });
    };
    const problem = `"${$ref}" is a schema; it is read as that of ${json}`;
    return [{ pointer: `${pointer}/$ref`, problem, mend }];
  }
  if (isOld) return [];
  const problem = `a media type holds it; it is read as that of ${json}`;
  if (content === undefined && isObject(schema)) {
    const mend = () => {
      delete part.schema;
      delete part.example;
      setContent({ schema, ...(example !== undefined && { example }) });
    };
    return [{ pointer: `${pointer}/schema`, problem, mend }];
  }
  if (!isObject(content)) return [];
  const isBare = isObject(content.schema) && !Object.keys(content).some((one) => one.includes('/'));
  if (isBare)
    return [{ pointer: `${pointer}/content/schema`, problem, mend: () => setContent(content) }];
  return Object.entries(content).flatMap(([type, node]) => {
    if (!isSchema(node)) return [];
    const mend = () => {
      content[type] = { schema: node };
    };
    const inMedia = 'it is a schema; it is read as that of the media type';
    return [{ pointer: `${pointer}/content/${toToken(type)}`, problem: inMedia, mend }];
  });
}

function refersToSchema({ $ref }: RawDocument): boolean {
  return typeof $ref === 'string' && /^#\/(components\/schemas|definitions)\/[^/]+$/.test($ref);
}

/** Whether a media type has keywords of a schema alone. */
function isSchema(node: unknown): boolean {
  if (!isObject(node) || (node.schema ?? node.itemSchema) !== undefined) return false;
  const { type, properties, allOf, oneOf, anyOf } = node;
  const isOfParts = [allOf, oneOf, anyOf].some(Array.isArray);
  return refersToSchema(node) || typeof type === 'string' || isObject(properties) || isOfParts;
}

/** The schemas of single elements in a list, as before JSON Schema 2020-12; one alone is meant for all. */
export function findTuples(part: RawDocument, place: Place): Fault[] {
  const { type, items, additionalItems } = part;
  if (!Array.isArray(items) || items.length === 0 || ![type].flat().includes('array')) return [];
  const isOne = items.length === 1 && additionalItems === undefined;
  const problem = `OpenAPI has no list here; it is read as ${isOne ? 'what it holds' : 'prefixItems'}`;
  const mend = () => {
    if (!isOne) part.prefixItems = items;
    part.items = isOne ? items[0] : additionalItems;
    if (part.items === undefined) delete part.items;
    delete part.additionalItems;
  };
  return [{ pointer: `${place.pointer}/items`, problem, mend }];
}

/** Parameters and headers that say what they are as in Swagger 2.0. */
export function findOldParameters(part: RawDocument, place: Place): Fault[] {
  const { root } = place;
  const isNew = root.swagger !== undefined || (part.schema ?? part.content) !== undefined;
  if (isNew || typeof part.type !== 'string') return [];
  const problem = 'this is syntax of Swagger 2.0; it is read as the schema of the parameter';
  const mend = () => {
    part.schema = {};
    for (const keyword of parameterKeywords.filter((one) => part[one] !== undefined)) {
      part.schema[keyword] = part[keyword];
      delete part[keyword];
    }
  };
  return [{ pointer: `${place.pointer}/type`, problem, mend }];
}
