import { parseJson } from '../../common/json.ts';
import { isJsonMedia, sequenceMarkOf, toEssence } from '../../common/media-type.ts';
import type { Api, Content, Schema } from '../../openapi/index.ts';

/**
 * Reads the text of a simple value, or of a list as headers have it (style `simple`); undefined where
 * no type tells how.
 */
export function readText(document: Api, schema: Schema, text: string): unknown {
  const { type, items = {}, prefixItems = [], enum: values } = document.schemas.resolve(schema);
  const types = [type].flat();
  if (types.includes('null') && /^(?:null)?$/.test(text)) return null;
  if (types.includes('array')) {
    const parts = text.split(',').filter((part) => part.trim() !== '');
    const read = parts.map((part, at) => readText(document, prefixItems[at] ?? items, part.trim()));
    return read.includes(undefined) ? undefined : read;
  }
  if (types.includes('integer') || types.includes('number') || types.includes('boolean')) {
    const plain = parseJson(types.includes('boolean') ? text.toLowerCase() : text);
    return typeof plain === 'object' || plain === undefined ? text : plain;
  }
  const listed = Array.isArray(values) ? values.find((one) => String(one) === text) : undefined;
  return types.includes('string') || values !== undefined ? (listed ?? text) : undefined;
}

const formType = 'application/x-www-form-urlencoded';

/** Whether a document describes the values of a content that is text, a form or a sequence of JSON. */
export function holdsTextValues({ mediaType, isText, schema, itemSchema }: Content): boolean {
  if (!schema && !itemSchema) return false;
  const isSimple = isText === true && /^(?:text|\*)\//.test(mediaType);
  return isSimple || mediaType === formType || sequenceMarkOf(mediaType) !== undefined;
}

/** The values in a body that is no JSON document, each with the same schema. */
export type TextValues = { schema: Schema; values: unknown[] };

/**
 * Reads a text, a form or a sequence of JSON by its description; `type` is the Content-Type of the
 * body. Undefined where the document does not say how its schema applies, as of a table (CSV).
 */
export function readTextBody(
  document: Api,
  content: Content,
  { type, text }: { type: string; text: string },
): TextValues | undefined {
  const { schema = {}, isText, encoding } = content;
  const mediaType = toEssence(type);
  if (!holdsTextValues(content) || isJsonMedia(mediaType)) return undefined;
  if (/charset=(?!"?(?:utf-?8|us-ascii))/i.test(type)) return undefined;
  const mark = sequenceMarkOf(mediaType);
  if (mark !== undefined) {
    const { items } = document.schemas.resolve(schema);
    // The schema of no list may be that of each item or of all.
    const ofItems = content.schema ? (items as Schema | undefined) : content.itemSchema;
    const lines = text.split(mark || '\n').filter((line) => line.trim() !== '');
    return ofItems && { schema: ofItems, values: lines.map((line) => parseJson(line)) };
  }
  if (mediaType === formType) {
    if (Object.keys(encoding).length > 0) return undefined;
    const value = readForm(document, schema, text);
    return value && { schema, values: [value] };
  }
  if (!isText || !mediaType.startsWith('text/')) return undefined;
  // Many servers end a text with a line break, which its schema is not about.
  const value = readText(document, schema, text.replace(/^\ufeff|\r?\n$/g, ''));
  return value === undefined ? undefined : { schema, values: [value] };
}

/** The members of a form of simple values and lists of them; undefined where it may hold others. */
function readForm(document: Api, schema: Schema, text: string): object | undefined {
  const { properties } = document.schemas.describeSchema(schema);
  const sent = new URLSearchParams(text);
  const members: [string, unknown][] = [];
  for (const name of new Set(sent.keys())) {
    const property = Object.hasOwn(properties, name) ? properties[name] : { type: 'string' };
    const { type, items } = document.schemas.resolve(property as Schema);
    const ofItems = [type].flat().includes('array') ? ((items ?? {}) as Schema) : undefined;
    const values = sent
      .getAll(name)
      .map((one) => readText(document, ofItems ?? (property as Schema), one));
    if (values.includes(undefined)) return undefined;
    members.push([name, ofItems ? values : values[0]]);
  }
  return Object.fromEntries(members);
}
