import { isJsonMedia, jsonPatchType, mergePatchType, toEssence } from '../common/media-type.ts';
import { flatten, type RawDocument, resolve, type Schema } from './schema.ts';

/** Plain JSON first, as its schema describes the item. */
export function patchContent({ content }: RawDocument): RawDocument | undefined {
  const types = ['application/json', mergePatchType, jsonPatchType];
  return types.map((type) => content?.[type]).find((one) => one !== undefined);
}

/** The media types of JSON that a PATCH takes, that of its schema first. */
export function patchTypesOf(
  raw: RawDocument,
  { content }: RawDocument,
): { mediaTypes: string[]; jsonPatch?: Schema } {
  const jsonPatch: RawDocument | undefined = content[jsonPatchType];
  const named = Object.keys(content).map(toEssence).filter(isJsonMedia);
  const first = ['application/json', mergePatchType, jsonPatchType].filter((one) => content[one]);
  return {
    mediaTypes: [...new Set([...first, ...named])],
    ...(jsonPatch && { jsonPatch: jsonPatchSchemaOf(raw, jsonPatch) }),
  };
}

/** Whether a body is a list of what a JSON Patch consists of. */
export function isListOfChanges(raw: RawDocument, { schema }: RawDocument): boolean {
  const { items } = resolve(raw, schema ?? {}) ?? {};
  const { properties } = flatten(raw, items);
  return ['op', 'path'].every((name) => Object.hasOwn(properties, name));
}

/** A schema that other media types share may say that a body is an object: this one is a list. */
function jsonPatchSchemaOf(raw: RawDocument, { schema = {} }: RawDocument): Schema {
  const types: unknown[] = [resolve(raw, schema)?.type ?? 'array'].flat();
  return types.includes('array') ? schema : { type: 'array' };
}
