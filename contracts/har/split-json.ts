/** A part of a file: a value's bytes, or only its length where it is longer than is read. */
export type Part = { number: number; bytes?: Uint8Array; length: number };

/** Cuts a file that comes in chunks into parts, and says at the end what is left of it. */
export interface Splitter {
  /** The parts that end within this chunk. */
  write(chunk: Uint8Array): Part[];
  /** What is left at the end of the file: a last part, or a part that does not end. */
  end(): { part?: Part; problem?: string };
}

/** A part of a recording that is longer than this, in bytes, is passed over. */
export const maxPart = 16 * 1024 * 1024;

const newline = 0x0a;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const bracket = 0x5b;
const bracketEnd = 0x5d;
const brace = 0x7b;
const braceEnd = 0x7d;

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
      const bytes = length <= maxPart ? Buffer.concat(chunks) : undefined;
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
 * brackets and quotes alone, so that an element that is too long or no JSON spoils no other one,
 * which a parser of the whole cannot do.
 */
export function splitArray(path: readonly string[]): Splitter {
  const collector = createCollector();
  /** How many brackets are open, and how many of them, from the outermost, lead to the array. */
  let depth = 0;
  let onPath = 0;
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
        } else if (byte === braceEnd || byte === bracketEnd || byte === comma) {
          const isBetween = isInArray() && depth === onPath;
          if (isBetween) {
            collector.add(chunk.subarray(from, at));
            const part = collector.take();
            if (part) parts.push(part);
            from = at + 1;
          }
          if (byte !== comma) {
            depth -= 1;
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
      if (isOver && isFound) return {};
      if (!isFound) return { problem: `has no list ${path.join('.')}` };
      const part = collector.take();
      if (part && (isInString || depth > onPath))
        return {
          problem: `ends in the middle of entry ${part.number}, so it was cut or that entry is broken`,
        };
      return {
        ...(part && { part }),
        problem: `ends after entry ${collector.count()}, without the end of its list, so it was cut`,
      };
    },
  };
}
