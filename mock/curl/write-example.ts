import type { Content } from '../../contracts/description/content.ts';
import type { Schema } from '../../contracts/description/document.ts';
import {
  toFormParts,
  type WrittenBody,
  writeBody,
} from '../../contracts/description/write-body.ts';
import { isFields } from './map-fields.ts';
import type { FormField } from './to-curl.ts';

/** Writes a value as XML in the form that a schema gives it. */
export type WriteXml = (schema: Schema, value: unknown) => string;

/** A body, with the fields of a multipart form. */
type WrittenExample = WrittenBody & { parts?: readonly FormField[] };

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Writes an example as content other than JSON: XML by its schema, or as the document shows it, and
 * a field or a word where the document says nothing of a form or of what is not read.
 */
export function writeExample(
  content: Content,
  value: unknown,
  writeXml: WriteXml | undefined,
): WrittenExample | undefined {
  const { mediaType, schema, examples, isXml } = content;
  const [shown] = Object.values(examples);
  if (isXml) {
    if (typeof shown === 'string') return { mediaType, body: shown };
    const isWritable = schema !== undefined && typeof value === 'object' && value !== null;
    if (!isWritable || !writeXml) return undefined;
    return { mediaType, body: writeXml(schema, value).replace(/^<\?xml[^>]*\?>\s*/, '') };
  }
  const written = value === undefined ? undefined : writeBody(content, value);
  if (written && mediaType === 'multipart/form-data' && isFields(value)) {
    const parts = toFormParts(content, value).map((part) =>
      part.type !== undefined ? { ...part, isFile: true } : part,
    );
    return parts.length > 0 ? { ...written, parts } : written;
  }
  if (written) return written;
  if (formTypes.includes(mediaType))
    return schema === undefined ? writeBody(content, { name: 'value' }) : undefined;
  return { mediaType, body: typeof shown === 'string' ? shown : 'example' };
}
