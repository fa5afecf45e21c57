import { DUMP_SCHEMA, dump, intCoreTag } from 'js-yaml';
import type { JsonObject } from '../common/json.ts';
import { toShortJson } from './json-view.ts';

/** YAML has no bound for integers, so a bigint is one like any other. */
const schema = DUMP_SCHEMA.withTags({
  ...intCoreTag,
  identify: (value: unknown) => typeof value === 'bigint' || intCoreTag.identify(value),
  represent: (value: unknown) =>
    typeof value === 'bigint' ? String(value) : intCoreTag.represent(value),
});

/** More characters are not written: with aliases, a few lines of YAML can make them endless. */
const maxLength = 20_000_000;

/** Why a document is not written out. */
export const notWritable = `The document cannot be written out: it contains itself, or takes more than ${maxLength / 1e6} MB.`;

/** The document as JSON; undefined where it cannot be written out. */
export function toDocumentJson(document: JsonObject): string | undefined {
  const text = toShortJson(document, maxLength, 2);
  return text && `${text}\n`;
}

/** The document as YAML. */
export function toDocumentYaml(document: JsonObject): string {
  return dump(document, { noRefs: true, schema });
}
