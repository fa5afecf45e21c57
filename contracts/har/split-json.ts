import { membersOf } from '../json.ts';
import { marks } from '../json-text.ts';
import type { SkippedEntry } from './skipped-entry.ts';

/** A part of a file: a value's bytes, or only its length where it is longer than is read. */
export type Part = { number: number; bytes?: Uint8Array; length: number };

/** Cuts a file that comes in chunks into parts, and says at the end what is left of it. */
export interface Splitter {
  /** The parts that end within this chunk. */
  write(chunk: Uint8Array): Part[];
  /** What is left at the end of the file: a last part, and what is wrong with the end. */
  end(): { part?: Part; problem?: SkippedEntry };
}

/** A part of a recording that is longer than this, in bytes, is passed over. */
export const maxPart = 16 * 1024 * 1024;

const newline = 0x0a;
const space = 0x20;
const backslash = 0x5c;
const { quote, comma, bracket, bracketEnd, brace, braceEnd } = marks;

/** Collects the bytes of one part at a time, and forgets those of one that is too long. */
function createCollector() {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  return {
    add(bytes: Uint8Array) {
      length += bytes.length;
      if (length <= maxPart) chunks.push(bytes);
      else chunks = [];
    },
    /** The part so far, which ends here; none where it is blank. */
    take(): [Part] | [] {
      const bytes = length <= maxPart ? joined(chunks) : undefined;
      const part = { number: number + 1, length, ...(bytes && { bytes }) };
      chunks = [];
      length = 0;
      if (bytes && isBlank(bytes)) return [];
      number += 1;
      return [part];
    },
    skip: () => void (number += 1),
    count: () => number,
  };
}

/** The bytes of all chunks; those of one alone are no copy, as most parts are in one chunk. */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= space);
}

/** Splits JSON Lines: each line is a part, counted with the blank ones, so that it is found again. */
export function splitLines(): Splitter {
  const collector = createCollector();
  return {
    write(chunk) {
      const parts: Part[] = [];
      let from = 0;
      for (let at: number; (at = chunk.indexOf(newline, from)) >= 0; from = at + 1) {
        collector.add(chunk.subarray(from, at));
        const ended = collector.take();
        if (ended.length === 0) collector.skip();
        parts.push(...ended);
      }
      collector.add(chunk.subarray(from));
      return parts;
    },
    end() {
      const [part] = collector.take();
      return part ? { part } : {};
    },
  };
}

/**
 * Splits JSON: each element of the array at a path, such as `log.entries`, is a part. It looks at
 * brackets and quotes alone, so that an element that is too long or no JSON spoils no other one, unless
 * its brackets do not match. A parser of the whole cannot do that.
 */
export function splitArray(path: readonly string[]): Splitter {
  return new ArraySplitter(path);
}

class ArraySplitter implements Splitter {
  readonly #path: readonly string[];
  readonly #collector = createCollector();
  /** How many brackets are open, and how many of them, from the outermost, lead to the array. */
  #depth = 0;
  #onPath = 0;
  /** How many more braces were opened than closed. */
  #braces = 0;
  #isMismatched = false;
  #isInString = false;
  #isEscaped = false;
  /** The last string of an object on the path, which is the key of a value that opens. */
  #key: number[] = [];
  #isFound = false;
  #isOver = false;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  write(chunk: Uint8Array): Part[] {
    const parts: Part[] = [];
    let from = this.#isInArray() ? 0 : chunk.length;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#isInString) this.#readString(byte);
      else if (byte === quote) {
        this.#isInString = true;
        if (!this.#isFound) this.#key = [];
      } else if (byte === brace || byte === bracket) {
        if (this.#open(byte)) from = at + 1;
      } else if (byte === braceEnd || byte === bracketEnd || byte === comma) {
        const isBetween = this.#isInArray() && this.#depth === this.#onPath;
        // A brace too many is part of its element: it cannot end the array.
        if (isBetween && byte === braceEnd && this.#braces === this.#path.length) continue;
        if (isBetween) {
          this.#isMismatched ||= this.#braces !== this.#path.length;
          this.#collector.add(chunk.subarray(from, at));
          parts.push(...this.#collector.take());
          from = byte === comma ? at + 1 : chunk.length;
        }
        if (byte !== comma) this.#close(byte);
      }
    }
    if (this.#isInArray()) this.#collector.add(chunk.subarray(from));
    return parts;
  }

  end(): ReturnType<Splitter['end']> {
    if (this.#isOver && this.#isFound && !this.#isMismatched) return {};
    if (!this.#isFound)
      return { problem: { kind: 'broken', problem: `has no list ${this.#path.join('.')}` } };
    const [part] = this.#isOver ? [] : this.#collector.take();
    const isWithin = part !== undefined && (this.#isInString || this.#depth > this.#onPath);
    const last = { ...(part && { part }) };
    if (this.#isMismatched) {
      const number = part?.number ?? this.#collector.count();
      const problem = `has brackets that do not match, so that what follows entry ${number} is not read`;
      return { ...last, problem: { kind: 'broken', problem } };
    }
    if (isWithin) return { problem: toUnended(part) };
    const problem = `was cut after entry ${this.#collector.count()}: its list has no end`;
    return { ...last, problem: { kind: 'cut', problem } };
  }

  #isInArray(): boolean {
    return this.#onPath === this.#path.length + 1;
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === quote) this.#isInString = false;
    else if (byte === backslash) this.#isEscaped = true;
    const isOnPath = !this.#isFound && this.#depth === this.#onPath;
    if (this.#isInString && isOnPath && this.#key.length < 64) this.#key.push(byte);
  }

  /** Whether it is the array that opens. */
  #open(byte: number): boolean {
    const leadsOn = this.#leadsOn(byte);
    this.#depth += 1;
    if (byte === brace) this.#braces += 1;
    if (!leadsOn) return false;
    this.#onPath += 1;
    this.#isFound ||= this.#isInArray();
    return this.#isFound;
  }

  #leadsOn(byte: number): boolean {
    if (this.#depth !== this.#onPath || this.#isFound) return false;
    const isLast = this.#onPath === this.#path.length;
    if (byte !== (isLast ? bracket : brace)) return false;
    return this.#onPath === 0 || Buffer.from(this.#key).toString() === this.#path[this.#onPath - 1];
  }

  #close(byte: number): void {
    this.#depth -= 1;
    if (byte === braceEnd) this.#braces -= 1;
    this.#isMismatched ||= this.#depth < 0;
    this.#onPath = Math.min(this.#onPath, this.#depth);
    this.#isOver ||= this.#depth === 0;
  }
}

/** What is wrong with an element that does not end within the file. */
function toUnended({ number, bytes }: Part): SkippedEntry {
  const { problem, endsEarly } = parseObject(bytes ?? new Uint8Array()) as {
    problem: string;
    endsEarly: boolean;
  };
  if (bytes && !endsEarly)
    return {
      entry: number,
      kind: 'broken',
      problem: `${problem}, and nothing after it can be read`,
    };
  return { kind: 'cut', problem: `was cut in the middle of entry ${number}` };
}

/** A value of a recording, or what is wrong with it as the end of a sentence. */
type Parsed =
  | { value: Record<string, unknown>; problem?: never }
  /** `endsEarly`: it may be the beginning of valid JSON. */
  | { value?: never; problem: string; endsEarly: boolean };

/** Parses a JSON object. No problem quotes the text, as it may hold keys. */
export function parseObject(bytes: Uint8Array): Parsed {
  const { buffer, byteOffset, length } = bytes;
  const text = Buffer.from(buffer, byteOffset, length)
    .toString()
    .replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return describe((error as Error).message, text);
  }
  if (Array.isArray(value)) return { problem: 'is no JSON object, but a list', endsEarly: false };
  const members = membersOf(value);
  if (members) return { value: members };
  return { problem: `is no JSON object, but ${toKind(value)}`, endsEarly: false };
}

function toKind(value: unknown): string {
  return value === null ? 'null' : `a ${typeof value}`;
}

function describe(message: string, text: string): Parsed {
  const [, what = '', place] =
    /^(.*?)(?: in JSON)? at position (\d+)/s.exec(message) ??
    /^(Unexpected token .*?), .* is not valid JSON$/s.exec(message) ??
    [];
  const endsEarly =
    /end of JSON input|^Unterminated string/.test(message) ||
    Number(place) >= text.trimEnd().length;
  if (endsEarly) return { problem: 'is not valid JSON: it ends too early', endsEarly };
  const reason = what === '' ? '' : `: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  const at = place === undefined ? '' : ` at character ${Number(place) + 1}`;
  return { problem: `is not valid JSON${reason}${at}`, endsEarly };
}
