import { isUtf8 } from 'node:buffer';
import {
  type Encoding,
  fitsRange,
  isJsonMedia,
  toEssence,
} from '../../../contracts/description/content.ts';
import { toToken } from '../../../contracts/description/json-pointer.ts';
import { parseExact } from '../../json/exact-json.ts';
import type { Problem } from '../../json/validator.ts';

/** The parts of a multipart form: texts, the contents of files, and files of a wrong media type. */
export type MultipartForm = {
  texts: [name: string, text: string][];
  values: [name: string, value: unknown][];
  problems: Problem[];
};

/**
 * Reads a multipart form (RFC 7578) of bytes that are in memory already; undefined where they are
 * none. A file is JSON where its media type says so, else a text; one that is no UTF-8 in base64.
 */
export async function readMultipart(
  bytes: Buffer,
  contentType: string,
  encoding: Readonly<Record<string, Encoding>>,
): Promise<MultipartForm | undefined> {
  const form: MultipartForm = { texts: [], values: [], problems: [] };
  let data: FormData;
  try {
    const headers = { 'Content-Type': contentType };
    data = await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  for (const [name, part] of data) {
    if (typeof part === 'string') {
      form.texts.push([name, part]);
      continue;
    }
    const problem = typeProblem(part.type, encoding[name]?.contentType);
    if (problem !== undefined)
      form.problems.push({ pointer: `/${toToken(name)}`, problem: `"${name}" ${problem}.` });
    form.values.push([name, toValue(Buffer.from(await part.arrayBuffer()), part.type)]);
  }
  return form;
}

function typeProblem(type: string, allowed: string | undefined): string | undefined {
  const ranges = allowed?.split(',').map((range) => toEssence(range)) ?? [];
  if (ranges.length === 0 || ranges.some((range) => fitsRange(toEssence(type), range)))
    return undefined;
  return `must be sent as ${ranges.join(' or ')}, but is ${type === '' ? 'without a media type' : type}`;
}

function toValue(bytes: Buffer, type: string): unknown {
  if (!isUtf8(bytes)) return bytes.toString('base64');
  const text = bytes.toString('utf8');
  if (!isJsonMedia(toEssence(type))) return text;
  try {
    return parseExact(text).doubles;
  } catch {
    return text;
  }
}
