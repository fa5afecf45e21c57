import { DUMP_SCHEMA, dump, intCoreTag } from 'js-yaml';
import type { RawDocument } from '../description/schema.ts';
import { toJson } from '../json.ts';
import { createSizeOf } from './json-view.ts';
import { isNode } from './schema-shape.ts';

/** YAML has no bound for integers, so a bigint is one like any other. */
const schema = DUMP_SCHEMA.withTags({
  ...intCoreTag,
  identify: (value: unknown) => typeof value === 'bigint' || intCoreTag.identify(value),
  represent: (value: unknown) =>
    typeof value === 'bigint' ? String(value) : intCoreTag.represent(value),
});

/** More characters are not written: with aliases, a few lines of YAML can make them endless. */
const maxLength = 20_000_000;

/** A part of more characters, each of which is written in one go, would hold up the API. */
const maxPart = 4_000_000;

/** Whether a document can be written out. */
export function isWritable(document: RawDocument): boolean {
  const sizeOf = createSizeOf(maxLength);
  return (
    sizeOf(document) <= maxLength && partsOf(document).every((part) => sizeOf(part) <= maxPart)
  );
}

/** Why a document is not written out. */
export const notWritable = `The document cannot be written out: it contains itself, takes more than ${maxLength / 1e6} MB, or has a part of more than ${maxPart / 1e6} MB.`;

/** Members of the document that may be so large that theirs are written one by one. */
const maxDepth = 2;

/** What is written in one go. */
function partsOf(value: unknown, depth = 0): unknown[] {
  return depth > maxDepth || !isNode(value)
    ? [value]
    : Object.values(value).flatMap((inner) => partsOf(inner, depth + 1));
}

/** The document as JSON, in parts, so that a large one holds nobody up. */
export function* toJsonParts(value: unknown, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth);
  if (depth > maxDepth || !isNode(value) || Object.keys(value).length === 0) {
    yield indented(toJson(value, 2), indent);
  } else {
    let separator = '{\n';
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      yield `${separator}${indent}  ${JSON.stringify(key)}: `;
      yield* toJsonParts(inner, depth + 1);
      separator = ',\n';
    }
    yield `\n${indent}}`;
  }
  if (depth === 0) yield '\n';
}

/** The document as YAML, in parts. */
export function* toYamlParts(value: RawDocument, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth);
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (depth < maxDepth && isNode(inner) && Object.keys(inner).length > 0) {
      yield `${indent}${dump({ [key]: 0 }).replace(/ 0\n$/, '\n')}`;
      yield* toYamlParts(inner, depth + 1);
    } else {
      const text = dump({ [key]: inner }, { noRefs: true, schema });
      yield `${indent}${indented(text, indent)}`;
    }
  }
}

function indented(text: string, indent: string): string {
  return indent === '' ? text : text.replace(/\n(?=[^\n])/g, `\n${indent}`);
}
