import { type Content, toEssence } from '../description/content.ts';
import type { Operation } from '../description/document.ts';
import { isSuccess } from '../description/success.ts';
import { type WrittenBody, writeBody } from '../description/write-body.ts';
import { parseJson } from '../json.ts';

/** The JSON text of a body as a form, with its value; undefined where it is sent as it is. */
export function writeForm(
  form: Content | undefined,
  text: string | undefined,
): (WrittenBody & { value: unknown }) | undefined {
  if (!form || text === undefined) return undefined;
  const value = parseJson(text);
  const written = writeBody(form, value);
  return written && { ...written, value };
}

/** Asks for any media type where the document describes a success, and none in plain JSON. */
export function acceptOf(operation: Operation | undefined): Readonly<Record<string, string>> {
  const types = (operation?.responses ?? []).filter(isSuccess).flatMap((one) => one.mediaTypes);
  const isPlain = types.some((type) => toEssence(type) === 'application/json');
  return types.length > 0 && !isPlain ? { Accept: '*/*' } : {};
}
