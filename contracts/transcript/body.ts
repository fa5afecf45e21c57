import { parseJson } from '../json.ts';
import { marks, scanJson } from '../json-text.ts';

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
   * Why it is not judged, where it is not: then `text` is its beginning, and `json` is undefined.
   */
  unjudged?: string;
  /** What it is, where it is more than can be read of any answer. */
  tooLarge?: string;
};

/**
 * How deep arrays and objects may lie in each other, as code that walks them is recursive, and how
 * many members an object may have.
 */
const maxLevels = 500;
const maxMembers = 5000;

const excerpt = 2000;

/** A text that would weigh more is not parsed only to see whether it is JSON. */
const maxParsed = 64 * 1024 * 1024;

/**
 * What a body takes in memory once it is parsed, roughly, and the extent of its arrays and objects.
 */
export type Weight = {
  bytes: number;
  levels: number;
  members: number;
  /** Whether it is certainly not JSON, so that it has no extent and need not be parsed. */
  isNoJson: boolean;
};

/** What may stand before JSON: white space, a byte order mark; and what an extent begins with. */
const opening = /^[ \t\n\r\xef\xbb\xbf]*[[{]/;

/**
 * Weighs a body, and parses it only where its extent is too much, to see whether it has any: what
 * stands in a text, a web page or broken JSON has none.
 */
export function weigh(body: Uint8Array): Weight {
  const plain = { bytes: body.length * 2, levels: 0, members: 0 };
  const text = toBuffer(body).toString('latin1');
  if (!opening.test(text)) return { ...plain, isNoJson: false };
  let [opened, commas, texts, level, levels, members] = [0, 0, 0, 0, 0, 0];
  /** The commas so far at each level; those of arrays start far below zero. */
  const counts = new Int32Array(maxLevels + 2);
  const end = scanJson(text, (mark) => {
    if (mark === marks.quote) texts += 1;
    else if (mark === marks.comma) {
      commas += 1;
      const count = (counts[level] ?? 0) + 1;
      counts[level] = count;
      if (count > members) members = count;
    } else if (mark === marks.bracket || mark === marks.brace) {
      opened += 1;
      level += 1;
      if (level > levels) levels = level;
      counts[level] = mark === marks.brace ? 0 : -(2 ** 30);
    } else level -= 1;
  });
  const weight = {
    bytes: body.length * 2 + opened * 64 + commas * 40 + texts * 24,
    levels,
    members: members + 1,
    isNoJson: false,
  };
  const isOpen = level !== 0 || end > text.length;
  const isDoubtful = whatIsTooMuch(weight) !== undefined && weight.bytes <= maxParsed;
  return isOpen || (isDoubtful && !isJson(body)) ? { ...plain, isNoJson: true } : weight;
}

/** Whether a body is JSON, however deep; Node parses it without recursion. */
function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(toText(body).replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

function toText(body: Uint8Array): string {
  return toBuffer(body).toString('utf8');
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** What is beyond what can be judged in a body, if anything. */
export function whatIsTooMuch({ levels, members }: Weight): string | undefined {
  if (levels > maxLevels) return `JSON nested more than ${maxLevels} levels deep`;
  return members > maxMembers
    ? `JSON with an object of more than ${maxMembers} members`
    : undefined;
}

/** Reads a body. One whose JSON is too deep or too wide is not judged. */
export function readBody(body: Uint8Array, weight = weigh(body)): Body {
  const extent = whatIsTooMuch(weight);
  if (extent !== undefined) return toTooLarge(body, extent);
  const text = toText(body);
  return {
    size: body.length,
    text,
    hasMark: hasMark(body),
    json: weight.isNoJson ? undefined : parseJson(text.replace(/^\ufeff/, '')),
  };
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
