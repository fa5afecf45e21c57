import type { Case } from '../cases/case.ts';
import { type Content, toEssence } from '../description/content.ts';
import type { Operation } from '../description/document.ts';
import { isSuccess } from '../description/success.ts';
import { type WrittenBody, writeBody } from '../description/write-body.ts';
import { parseJson } from '../json.ts';
import type { SentRequest } from '../transcript/exchange.ts';

/** What a case sends, but for its key: each placeholder has its value. */
export type FilledCase = { path: string; body: string | undefined; marker: string | undefined };

/** The request of a case, but for its key. */
export function toRequest(
  { operation, method, headers, form }: Case,
  { path, body, marker }: FilledCase,
  ownHeaders: SentRequest['headers'] | undefined,
): SentRequest {
  const written = writeForm(form, body);
  const isOfForm = headers?.['Content-Type'] === form?.mediaType;
  const plain = body !== undefined && { body };
  return {
    method,
    headers: {
      ...acceptOf(operation),
      ...ownHeaders,
      ...headers,
      ...(written && isOfForm && { 'Content-Type': written.mediaType }),
    },
    path,
    ...(written ? { body: written.body, value: written.value } : plain),
    ...(marker !== undefined && { marker }),
  };
}

/** The JSON text of a body as a form, with its value; undefined where it is sent as it is. */
function writeForm(
  form: Content | undefined,
  text: string | undefined,
): (WrittenBody & { value: unknown }) | undefined {
  if (!form || text === undefined) return undefined;
  const value = parseJson(text);
  const written = writeBody(form, value);
  return written && { ...written, value };
}

/** Asks for any media type where the document describes a success, and none in plain JSON. */
function acceptOf(operation: Operation | undefined): Readonly<Record<string, string>> {
  const types = (operation?.responses ?? []).filter(isSuccess).flatMap((one) => one.mediaTypes);
  const isPlain = types.some((type) => toEssence(type) === 'application/json');
  return types.length > 0 && !isPlain ? { Accept: '*/*' } : {};
}
