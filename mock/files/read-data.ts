import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { MistakesError, UsageError } from '../../common/cli/usage-error.ts';
import { toVisible } from '../../common/look/visible.ts';
import { once } from '../../common/once-per.ts';
import type { Api } from '../../openapi/index.ts';
import {
  type GivenData,
  isSnapshot,
  namesOfGiven,
  nothing,
  parseGivenItems,
} from '../items/given-items.ts';
import { NestingError, parseExact } from '../json/exact-json.ts';
import { compilerOf, type Problem } from '../json/validator.ts';
import type { Collections } from '../state/store.ts';
import { DataSyntaxError, locateInYaml, toDataJson, toJsonText } from './data-json.ts';
import { type DataText, maxDataItems, readDataText } from './data-text.ts';

/** How many mistakes are listed; the others are counted. */
const maxListed = 20;

/** Data that was read, and is yet to be parsed and held against a document. */
export type DataSource = DataText & {
  /** How messages name it. */
  name: string;
  /** The file that it is from; undefined where code gives it. */
  file?: string;
  /** The hash of the text. */
  textHash: string;
  /** Parses it once. Rejects with {@link UsageError}. */
  parse: () => Promise<unknown>;
};

/** Reads the file of `--data`, or takes what code gives instead. Throws {@link UsageError}. */
export async function openData(
  file: string | undefined,
  { given, files }: { given: unknown; files: Set<string> },
): Promise<DataSource | undefined> {
  if (file !== undefined) {
    files.add(resolve(file));
    const name = `--data ${file}`;
    return toSource({ name, file, ...(await readDataText(file, name)) });
  }
  if (given === undefined) return undefined;
  const named = { name: 'data', format: 'JSON', text: '' } as const;
  return toSource({ ...named, text: await explained(named, async () => toDataJson(given)) });
}

function toSource(read: Omit<DataSource, 'textHash' | 'parse'>): DataSource {
  return {
    ...read,
    textHash: createHash('sha256').update(read.format).update(read.text).digest('hex'),
    parse: once(() => explained(read, () => parseData(read))),
  };
}

/** The names of the collections that data has items of. Rejects with {@link UsageError}. */
export async function namesOfData(source: DataSource, before?: GivenData): Promise<string[]> {
  if (before?.textHash === source.textHash) return before.names;
  return namesOfGiven(await source.parse());
}

/** Makes items of data, which is held against the document as a whole. Throws {@link UsageError}. */
export async function readData(source: DataSource, document: Api): Promise<GivenData> {
  const json = await source.parse();
  const { collections, problems, count } = await parseGivenItems(json, {
    document,
    compileSchema: compilerOf(document),
    maxProblems: maxListed,
    maxItems: maxDataItems,
  });
  if (problems) throw toMistakes(source, problems, count);
  const stored = [...document.resources, ...document.singletons];
  const all = Object.fromEntries(stored.map(({ name }) => [name, nothing]));
  Object.assign(all, collections);
  return {
    textHash: source.textHash,
    itemsHash: hashAll(all),
    names: namesOfGiven(json),
    isSnapshot: isSnapshot(json),
    collections: all,
  };
}

/** A hash of all items, and of the numbers that their collections go on with. */
function hashAll(collections: Collections): string {
  const hash = createHash('sha256');
  for (const [name, { items, next }] of Object.entries(collections)) {
    hash.update(`${JSON.stringify(name)}${next}`);
    for (const { json } of items) hash.update(json);
  }
  return hash.digest('base64url');
}

type DataInput = Omit<DataSource, 'textHash' | 'parse'>;

async function explained<T>(read: DataInput, parse: () => Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof DataSyntaxError)) throw error;
    const { message, at, pointer } = error;
    if (pointer !== undefined) throw toMistakes(read, [{ pointer, problem: message }], 1);
    throw new UsageError(`${read.name}${at === undefined ? '' : placeOf(read, at)} ${message}`);
  }
}

/** Says what is wrong: the place of each mistake in the file, in its order, and the mistake. */
function toMistakes(read: DataInput, problems: readonly Problem[], count: number): UsageError {
  const { name, file } = read;
  const pointers = problems.map(({ pointer }) => pointer);
  const offsets = file === undefined ? new Map() : locateInYaml(read.text, pointers);
  const offsetOf = ({ pointer }: Problem) => (pointer === '' ? undefined : offsets.get(pointer));
  const toLine = (of: string, one: Problem) => {
    const at = offsetOf(one);
    return `${of}${at === undefined ? '' : placeOf(read, at)} ${one.problem}`.trimStart();
  };
  const [first] = problems;
  if (count === 1 && first) return new UsageError(toLine(name, first));
  const lines = problems
    .toSorted((left, right) => (offsetOf(left) ?? 0) - (offsetOf(right) ?? 0))
    .map((one) => toLine(file ?? '', one));
  const more = count - problems.length;
  if (more > 0) lines.push(`and ${more.toLocaleString('en')} more`);
  const heading = `${name} has ${count.toLocaleString('en')} mistakes:`;
  return new MistakesError([heading, ...lines].map(toVisible).join('\n  '));
}

/** A place in a text as `:line:column`, both counted from 1. */
function placeOf({ text }: DataText, at: number): string {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return `:${line}:${at - start + 1}`;
}

/** Parses the text of data, integers exact. Rejects with {@link DataSyntaxError}. */
async function parseData({ text, format }: DataText): Promise<unknown> {
  try {
    return parseExact(format === 'YAML' ? toJsonText(text) : text);
  } catch (error) {
    if (error instanceof NestingError)
      throw new DataSyntaxError(`has too much in it: ${error.message}.`);
    throw error instanceof SyntaxError ? toJsonError(error, text) : error;
  }
}

function toJsonError({ message }: SyntaxError, text: string): DataSyntaxError {
  // Some of its messages quote the text.
  const reason = message
    .replace(/, (\.\.\.)?".*is not valid JSON$/s, '')
    .replace(/ in JSON at position.*$/s, '');
  const at = /at position (\d+)/.exec(message)?.[1];
  return new DataSyntaxError(`is not valid JSON: ${reason}.`, {
    at: at === undefined ? findUnexpected(text) : Number(at),
  });
}

/**
 * Finds the offset of the first unexpected token of a JSON text, or of its end. V8 does not report
 * that offset. A prefix up to there is merely unfinished; a longer one is wrong.
 */
function findUnexpected(text: string): number {
  const isWrong = (length: number) => {
    try {
      JSON.parse(text.slice(0, length));
      return false;
    } catch (error) {
      return /^Unexpected token/.test((error as Error).message);
    }
  };
  let [good, wrong] = [0, text.length + 1];
  while (wrong - good > 1) {
    const middle = (good + wrong) >> 1;
    if (middle <= text.length && isWrong(middle)) wrong = middle;
    else good = middle;
  }
  return wrong - 1;
}
