import { hash } from 'node:crypto';
import { parseJson } from '../../common/json.ts';

/** The body of an answer, decoded from its content coding. */
export type Body = {
  /** Bytes that came. */
  size: number;
  /** As text; invalid UTF-8 is replaced. */
  text: string;
  /** Whether it starts with a byte order mark. */
  hasMark: boolean;
  /** The parsed text, large integers as bigints; undefined where it is not JSON. */
  json: unknown;
  /**
   * The reason why the body is not judged, if any. Then `text` is its beginning, and `json` is
   * undefined.
   */
  unjudged?: string;
  /** A description of a body that exceeds the limits for every response. */
  tooLarge?: string;
};

/**
 * The maximum depth of JSON, because recursive code walks it. The next constants bound the members
 * of an object and all values.
 */
const maxLevels = 500;
const maxMembers = 5000;
const maxValues = 1_000_000;

const excerpt = 2000;

/** Reads a body. One whose JSON is too deep or too wide is not judged. */
export function readBody(body: Uint8Array): Body {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const json = parseJson(text.replace(/^\ufeff/, ''));
  const extent = whatIsTooMuch(json);
  if (extent !== undefined) return toTooLarge(body, extent);
  return { size: body.length, text, hasMark: hasMark(body), json };
}

/** Returns which limit for judging a JSON value exceeds, if any. */
function whatIsTooMuch(json: unknown): string | undefined {
  const open: { value: unknown; level: number }[] = [{ value: json, level: 1 }];
  let values = 0;
  for (let one = open.pop(); one; one = open.pop()) {
    const { value, level } = one;
    if (typeof value !== 'object' || value === null) continue;
    if (level > maxLevels) return `JSON nested more than ${maxLevels} levels deep`;
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value) && members.length > maxMembers)
      return `JSON with an object of more than ${maxMembers} members`;
    values += members.length;
    if (values > maxValues) return `JSON of more than ${maxValues.toLocaleString('en')} values`;
    for (const inner of members)
      if (typeof inner === 'object' && inner !== null)
        open.push({ value: inner, level: level + 1 });
  }
  return undefined;
}

/**
 * Keeps the beginning of a body that is more than can be read of any answer; `what` says what it
 * is.
 */
export function toTooLarge(body: Uint8Array, what: string): Body {
  return { ...toUnjudged(body, `${what} is not read`), tooLarge: what };
}

/** Keeps the beginning of a body alone; `reason` continues "not judged, as". */
export function toUnjudged(body: Uint8Array, reason: string): Body {
  const text = Buffer.from(body.subarray(0, excerpt)).toString('utf8');
  return { size: body.length, text, hasMark: hasMark(body), json: undefined, unjudged: reason };
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

const mebibyte = 1024 * 1024;

/** The bytes of all large bodies that a run keeps. */
const room = 8 * mebibyte;

/** A body of up to so many bytes is always kept. */
const small = 16 * 1024;

/**
 * Creates a reader for the bodies of a run. Equal bodies are stored once. Once the room is used up,
 * large ones are truncated and not judged.
 */
export function createBodyStore({ max = room } = {}): (bytes: Uint8Array) => Body {
  const known = new Map<string, Body>();
  let left = max;
  const toBody = (bytes: Uint8Array): Body => {
    if (bytes.length <= small) return readBody(bytes);
    if (bytes.length > left)
      return toUnjudged(
        bytes,
        `a run keeps at most ${max / mebibyte} MiB of large answers, and that is used up`,
      );
    left -= bytes.length;
    return readBody(bytes);
  };
  return (bytes) => {
    const digest = hash('sha256', bytes, 'base64');
    const body = known.get(digest) ?? toBody(bytes);
    known.set(digest, body);
    return body;
  };
}
