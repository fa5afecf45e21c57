import { marks } from '../json-text.ts';
import { parseObject } from './parse-object.ts';
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
    take(): Part | undefined {
      const bytes = length <= maxPart ? joined(chunks) : undefined;
      const part = { number: number + 1, length, ...(bytes && { bytes }) };
      chunks = [];
      length = 0;
      if (bytes && isBlank(bytes)) return undefined;
      number += 1;
      return part;
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
        const part = collector.take();
        if (part) parts.push(part);
        else collector.skip();
      }
      collector.add(chunk.subarray(from));
      return parts;
    },
    end() {
      const part = collector.take();
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
  const collector = createCollector();
  /** How many brackets are open, and how many of them, from the outermost, lead to the array. */
  let depth = 0;
  let onPath = 0;
  /** How many more braces were opened than closed. */
  let braces = 0;
  let isMismatched = false;
  let isInString = false;
  let isEscaped = false;
  /** The last string of an object on the path, which is the key of a value that opens. */
  let key: number[] = [];
  let isFound = false;
  let isOver = false;

  const isInArray = () => onPath === path.length + 1;
  const leadsOn = (byte: number) => {
    if (depth !== onPath || isFound) return false;
    const isLast = onPath === path.length;
    if (byte !== (isLast ? bracket : brace)) return false;
    return onPath === 0 || Buffer.from(key).toString() === path[onPath - 1];
  };

  return {
    write(chunk) {
      const parts: Part[] = [];
      let from = isInArray() ? 0 : chunk.length;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === quote) isInString = false;
          else if (byte === backslash) isEscaped = true;
          if (isInString && !isFound && depth === onPath && key.length < 64) key.push(byte);
        } else if (byte === quote) {
          isInString = true;
          if (!isFound) key = [];
        } else if (byte === brace || byte === bracket) {
          if (leadsOn(byte)) {
            onPath += 1;
            if (isInArray()) {
              isFound = true;
              from = at + 1;
            }
          }
          depth += 1;
          if (byte === brace) braces += 1;
        } else if (byte === braceEnd || byte === bracketEnd || byte === comma) {
          const isBetween = isInArray() && depth === onPath;
          // A brace too many is part of its element: it cannot end the array.
          if (isBetween && byte === braceEnd && braces === path.length) continue;
          if (isBetween) {
            if (braces !== path.length) isMismatched = true;
            collector.add(chunk.subarray(from, at));
            const part = collector.take();
            if (part) parts.push(part);
            from = at + 1;
          }
          if (byte !== comma) {
            depth -= 1;
            if (byte === braceEnd) braces -= 1;
            if (depth < 0) isMismatched = true;
            if (depth < onPath) onPath = depth;
            if (isBetween) from = chunk.length;
            if (depth === 0) isOver = true;
          }
        }
      }
      if (isInArray()) collector.add(chunk.subarray(from));
      return parts;
    },
    end() {
      if (isOver && isFound && !isMismatched) return {};
      if (!isFound)
        return { problem: { kind: 'broken', problem: `has no list ${path.join('.')}` } };
      const part = isOver ? undefined : collector.take();
      const isWithin = part !== undefined && (isInString || depth > onPath);
      if (isMismatched) {
        const last = part?.number ?? collector.count();
        const problem = `has brackets that do not match, so that what follows entry ${last} is not read`;
        return { ...(part && { part }), problem: { kind: 'broken', problem } };
      }
      if (isWithin) return { problem: toUnended(part) };
      const problem = `was cut after entry ${collector.count()}: its list has no end`;
      return { ...(part && { part }), problem: { kind: 'cut', problem } };
    },
  };
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
