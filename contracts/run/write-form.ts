import type { Content } from '../description/content.ts';
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
