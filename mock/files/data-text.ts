import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { UsageError } from '../../common/cli/usage-error.ts';
import { toReadError } from '../settings/read-file.ts';

/** The text of a file of data, and whether it is JSON or YAML. */
export type DataText = { text: string; format: 'JSON' | 'YAML' };

const mebibyte = 1024 * 1024;
/** The maximum bytes of each format; YAML takes four times as much memory when it is read. */
const maxBytes = { JSON: 64 * mebibyte, YAML: 4 * mebibyte };

/** The maximum length of the JSON that data stands for. */
export const maxDataLength = maxBytes.JSON;

/** The maximum number of items in data: each takes some hundred bytes. */
export const maxDataItems = 1_000_000;

/**
 * Reads a file of data, which `name` names in messages; no more of it than is allowed. Throws {@link
 * UsageError}.
 */
export async function readDataText(file: string, name: string): Promise<DataText> {
  const ending = extname(file).toLowerCase();
  if (/\.har(?:\.gz)?$/i.test(file)) throw toRecordingError(file, name);
  const isYaml = ending === '.yaml' || ending === '.yml';
  const max = maxBytes[isYaml ? 'YAML' : 'JSON'];
  const bytes = await readBytes(file, name, max);
  if (bytes.length > max) throw tooLarge(name, isYaml ? 'YAML' : 'JSON');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not UTF-8 text. Save it in that encoding.`);
  }
  if (/^\ufeff?\s*\{\s*"log"\s*:\s*\{/.test(text)) throw toRecordingError(file, name);
  const isJson = ending === '.json' || (!isYaml && /^\s*[{[]/.test(text));
  const format = isJson ? 'JSON' : 'YAML';
  if (bytes.length > maxBytes[format]) throw tooLarge(name, format);
  return { text, format };
}

/** A recording has responses, and the mock does not tell which items they show. */
function toRecordingError(file: string, name: string): UsageError {
  return new UsageError(
    `${name} is a recording (HAR), which holds no items as such. Make a file of items first: petstore-twin data ${file} --base-url URL --out data.json.`,
  );
}

function tooLarge(name: string, format: DataText['format']): UsageError {
  const advice = format === 'JSON' ? '' : ` As JSON it may have ${inMebibytes(maxBytes.JSON)}.`;
  return new UsageError(
    `${name} has more than ${inMebibytes(maxBytes[format])}, the maximum of ${format}.${advice}`,
  );
}

async function readBytes(file: string, name: string, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: max, highWaterMark: mebibyte }))
      chunks.push(chunk);
  } catch (error) {
    throw toReadError(error as NodeJS.ErrnoException, name);
  }
  return Buffer.concat(chunks);
}

function inMebibytes(bytes: number): string {
  return `${bytes / mebibyte} MiB`;
}
