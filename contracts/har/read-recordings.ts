import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { membersOf } from '../json.ts';
import { isSecretName, isSecretParameter } from '../secrets/names.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { fromHarEntry } from './from-har-entry.ts';
import { fromJournalEntry, fromLine, isJournalEntry } from './from-line.ts';
import type { HarContext } from './har-bodies.ts';
import { isZip, type ReadOptions, readChunks } from './read-chunks.ts';
import { BrokenEntry } from './recorded-values.ts';
import { type NoExchange, RecordingError, type SkippedEntry, toBroken } from './skipped-entry.ts';
import {
  maxPart,
  type Part,
  parseObject,
  type Splitter,
  splitArray,
  splitLines,
} from './split-json.ts';
import { openZipArchive } from './zip-archive.ts';

/** What a recording has: an exchange, or what is passed over and why. */
export type Recording = RecordedExchange | SkippedEntry;

/** Whether an entry of a recording is passed over. */
export function isSkipped(recording: Recording): recording is SkippedEntry {
  return 'problem' in recording;
}

/**
 * Reads a recording: an HTTP Archive 1.2 (HAR), a list of the twin's journal, or JSON Lines of
 * exchanges; packed with gzip, zstd, brotli or zip, or not. Exchanges come in the order in which
 * they were sent. What cannot be read of it is passed over, and what follows is read. Where no entry of a
 * HAR shows a credential, its exchanges say that they are missing. Throws a {@link RecordingError}
 * where the file is no recording at all.
 */
export async function* readRecordings(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<Recording> {
  const form = await detectForm(file);
  const hidesCredentials = form.kind === 'har' && !(await hasCredentials(file, form, options));
  const order = createOrder();
  for await (const recording of readEntries(file, form, options)) {
    if (isSkipped(recording)) yield recording;
    else
      yield* order.add(
        hidesCredentials ? { ...recording, missing: ['credentials'] as const } : recording,
      );
  }
  yield* order.end();
}

/** What a recording is made of. */
type Form = { kind: 'har' | 'journal' | 'lines'; creator: string };

/** How much of a file shows what it is. */
const headSize = 64 * 1024;

async function detectForm(file: string): Promise<Form> {
  const head = await readHead(file);
  if (head.startsWith('\ufffd\ufffd') || head.includes('\0'))
    throw new RecordingError(file, 'is not text in UTF-8. Save it as UTF-8 first.');
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text === '') throw new RecordingError(file, 'is empty.');
  if (/^\{\s*"log"\s*:/.test(text)) {
    const [, creator = ''] = /"creator"\s*:\s*\{[^{}]*?"name"\s*:\s*"([^"\\]*)"/.exec(text) ?? [];
    return { kind: 'har', creator };
  }
  if (/^\{\s*"requests"\s*:\s*\[/.test(text)) return { kind: 'journal', creator: '' };
  if (/^\{.*\}\s*(?:\n|$)/.test(text) || /^\{[^\n]*$/.test(text))
    return { kind: 'lines', creator: '' };
  throw new RecordingError(
    file,
    'is no recording: neither an HTTP Archive (HAR) nor JSON Lines of exchanges. See docs/recordings.md.',
  );
}

async function readHead(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of readChunks(file)) {
      chunks.push(chunk);
      if ((size += chunk.length) >= headSize) break;
    }
  } catch (error) {
    if (chunks.length === 0) throw error;
  }
  return Buffer.concat(chunks).subarray(0, headSize).toString();
}

function toSplitter({ kind }: Form): Splitter {
  if (kind === 'lines') return splitLines();
  return splitArray(kind === 'har' ? ['log', 'entries'] : ['requests']);
}

/** Recorders that write down every header as it was sent. */
const completeRecorders = /^(?:petstore-twin|redocly-cli proxy|playwright)/i;

/** Whether some entry shows a credential; most recordings have one near their beginning. */
async function hasCredentials(
  file: string,
  form: Form,
  { onSearch }: ReadOptions,
): Promise<boolean> {
  if (completeRecorders.test(form.creator)) return true;
  for await (const part of readParts(file, form, onSearch ? { onProgress: onSearch } : {})) {
    const value = 'bytes' in part && part.bytes ? parseObject(part.bytes).value : undefined;
    if (value && showsCredentials(value)) return true;
  }
  return false;
}

/** Whether an entry of a HAR shows a credential, of whatever kind. */
function showsCredentials({ request, response }: Record<string, unknown>): boolean {
  const { headers, queryString } = membersOf(request) ?? {};
  return (
    namesOf(headers).some(isSecretName) ||
    namesOf(queryString).some(isSecretParameter) ||
    namesOf(membersOf(response)?.headers).some(isSecretName)
  );
}

function namesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map((one) => String(membersOf(one)?.name ?? '')) : [];
}

/** The parts of a recording; at last, what is wrong with its end. */
async function* readParts(
  file: string,
  form: Form,
  options: ReadOptions,
): AsyncGenerator<Part | SkippedEntry> {
  const splitter = toSplitter(form);
  let last = 0;
  const count = (part: Part) => {
    last = part.number;
    return part;
  };
  try {
    for await (const chunk of readChunks(file, options))
      for (const part of splitter.write(chunk)) yield count(part);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    const place = form.kind === 'lines' ? `line ${last}` : `entry ${last}`;
    yield { kind: 'broken', problem: `cannot be read after ${place}: ${error.reason}` };
    return;
  }
  const { part, problem } = splitter.end();
  if (part) yield count(part);
  if (problem) yield problem;
}

async function* readEntries(
  file: string,
  form: Form,
  options: ReadOptions,
): AsyncGenerator<Recording> {
  await using archive = (await isZip(file)) ? await openZipArchive(file) : undefined;
  const readAttachment = archive
    ? (name: string) => archive.readBeside(name, maxPart)
    : attachmentsOf(file);
  const context = { creator: form.creator, readAttachment };
  for await (const part of readParts(file, form, options)) {
    if ('problem' in part) {
      yield part;
      continue;
    }
    const read = await readPart(part, form, context);
    const isLine = form.kind === 'lines';
    yield 'problem' in read ? { ...read, entry: part.number, ...(isLine && { isLine }) } : read;
  }
}

async function readPart(
  { bytes, length }: Part,
  { kind }: Form,
  context: HarContext,
): Promise<RecordedExchange | NoExchange> {
  if (!bytes) {
    const sizes = [length, maxPart].map((size) => Math.round(size / 1024 / 1024));
    return { kind: 'too-long', problem: `is ${sizes[0]} MiB long, and ${sizes[1]} MiB are read` };
  }
  const { value, problem } = parseObject(bytes);
  if (!value) return toBroken(problem);
  try {
    if (kind === 'har' || 'startedDateTime' in value) return await fromHarEntry(value, context);
    return isJournalEntry(value) ? fromJournalEntry(value) : fromLine(value);
  } catch (error) {
    if (error instanceof BrokenEntry) return toBroken(error.message);
    throw error;
  }
}

/**
 * Reads regular files in the folder of a recording, and no others, also not through links: a
 * recording is no reason to read any file.
 */
function attachmentsOf(file: string): HarContext['readAttachment'] {
  const folder = dirname(resolve(file));
  return async (name) => {
    try {
      const [realFolder, path] = [await realpath(folder), await realpath(resolve(folder, name))];
      if (!path.startsWith(`${realFolder}${sep}`)) return undefined;
      const found = await stat(path);
      return found.isFile() && found.size <= maxPart ? await readFile(path) : undefined;
    } catch {
      return undefined;
    }
  };
}

/** How many exchanges may wait for an earlier one, and how many bytes of bodies. */
const maxWaiting = 1000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Puts exchanges in the order in which they were sent. Recorders write an entry when its response has
 * come, so only exchanges that overlap are out of order: those that wait are few, and bounded.
 */
function createOrder() {
  let waiting: RecordedExchange[] = [];
  let bytes = 0;
  const leave = (count: number) => {
    const left = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const exchange of left) bytes -= sizeOf(exchange);
    return left;
  };
  return {
    /** Takes one, and gives those for which no earlier one is awaited any more. */
    add(exchange: RecordedExchange): RecordedExchange[] {
      const after = waiting.findLastIndex(({ sentAt }) => sentAt <= exchange.sentAt);
      waiting.splice(after + 1, 0, exchange);
      bytes += sizeOf(exchange);
      if (bytes > maxBytes) return leave(Math.ceil(waiting.length / 2));
      return waiting.length > maxWaiting ? leave(maxWaiting / 2) : [];
    },
    /** Those that still wait. */
    end: () => leave(waiting.length),
  };
}

function sizeOf({ request, response }: RecordedExchange): number {
  return (request.body?.bytes.length ?? 0) + (response?.body.bytes.length ?? 0);
}
