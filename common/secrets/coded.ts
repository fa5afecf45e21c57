/** A text of bytes, a character each, and where in the whole text each of them stands. */
type Layer = { bytes: string; placeOf: (index: number) => readonly [start: number, end: number] };

/** A secret to look for; one that `standsAlone` is no part of a longer word. */
export type WantedSecret = { secret: string; standsAlone: boolean };

/** A secret in a text, and the part of the text that it is decoded from. */
type SecretSpan = { secret: string; start: number; end: number };

/** How many codings within each other are undone. */
const maxDepth = 8;

/** Gives how many bytes are looked at for a text; what would need more is hidden whole. */
const toWork = (length: number) => 16 * 1024 * 1024 + 4 * length;

/** A shorter secret hides only whole values: it is a part of too many words, and a word itself. */
export const minStrong = 6;

/**
 * Creates a function that finds secrets in a text, in any case and however they are coded: escapes
 * (URLs, JSON, HTML), base64 and hex are undone until nothing changes, and bytes are compared.
 */
export function createFinder(
  all: readonly WantedSecret[],
  workFor = toWork,
): (text: string) => SecretSpan[] {
  const wanted = all.flatMap((one) =>
    formsOf(one.secret).map((bytes) => ({ ...one, bytes: bytes.toLowerCase() })),
  );
  const least = Math.min(...wanted.map(({ bytes }) => bytes.length));
  const packed = new RegExp(`[\\w+/-]{${Math.ceil((least * 4) / 3)},}`, 'g');
  const readable = new RegExp(`[ -~]{${Math.min(...wanted.map(({ bytes }) => asciiIn(bytes)))}}`);
  return (text) => {
    if (wanted.length === 0 || text.length < least) return [];
    const found: SecretSpan[] = [];
    const empty = new Set<string>();
    let work = workFor(text.length);
    const look = ({ bytes, placeOf }: Layer) => {
      const lower = bytes.toLowerCase();
      for (const { secret, standsAlone, bytes: part } of wanted)
        for (let at = -1; (at = lower.indexOf(part, at + 1)) !== -1; ) {
          const isWithin = isOfWord(bytes[at - 1]) || isOfWord(bytes[at + part.length]);
          if (standsAlone && isWithin) continue;
          found.push({ secret, start: placeOf(at)[0], end: placeOf(at + part.length - 1)[1] });
        }
    };
    const search = (first: Layer, depth: number) => {
      for (let layer: Layer | undefined = first; layer && depth > 0; depth -= 1) {
        const { bytes, placeOf } = layer;
        look(layer);
        work -= bytes.length;
        if (work < 0) {
          const { secret } = wanted[0] as WantedSecret;
          found.push({ secret, start: placeOf(0)[0], end: placeOf(bytes.length - 1)[1] });
          return;
        }
        for (const { 0: run, index } of bytes.matchAll(packed)) {
          if (empty.has(run)) continue;
          const seen = found.length;
          for (const part of unpack(layer, run, index))
            if (readable.test(part.bytes)) search(part, depth - 1);
          if (found.length === seen) empty.add(run);
        }
        layer = withoutEscapes(layer);
      }
    };
    search(toLayer(text), maxDepth);
    return found.toSorted((left, right) => left.start - right.start || right.end - left.end);
  };
}

/** Counts the characters of the longest part of a text that is ASCII and no control character. */
function asciiIn(bytes: string): number {
  return Math.max(1, ...(bytes.match(/[ -~]+/g) ?? []).map((part) => part.length));
}

function isOfWord(char = ' '): boolean {
  return /[\w.~+-]/.test(char);
}

/** A secret, and what is left of it where what looks like its escapes is undone with the text's. */
function formsOf(secret: string): string[] {
  const forms: string[] = [];
  for (let layer: Layer | undefined = toLayer(secret); layer; layer = withoutEscapes(layer))
    if (forms.length === 0 || layer.bytes.length >= minStrong) forms.push(layer.bytes);
  return forms;
}

/** Decodes base64, wherever its groups begin, and hex. */
function* unpack({ placeOf }: Layer, run: string, index: number): Generator<Layer> {
  const codings = [
    { coding: 'base64', width: 4 / 3, shifts: 4 },
    { coding: 'hex', width: 2, shifts: /^[\da-f]+$/i.test(run) ? 2 : 0 },
  ] as const;
  for (const { coding, width, shifts } of codings)
    for (let shift = 0; shift < shifts; shift += 1) {
      const from = index + shift;
      const last = index + run.length - 1;
      yield {
        bytes: Buffer.from(run.slice(shift), coding).toString('latin1'),
        placeOf: (at) => [
          placeOf(from + Math.floor(at * width))[0],
          placeOf(Math.min(last, from + Math.ceil((at + 1) * width) - 1))[1],
        ],
      };
    }
}

const escapes =
  /%([\da-f]{2})|\\x([\da-f]{2})|\\u(d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|[\da-f]{4})|\\([\\/"'bfnrt])|&#x([\da-f]{1,8});?|&#(\d{1,9});?|&(amp|apos|gt|lt|quot);/gi;

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const named: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

/** The layer with its escapes undone once; undefined where it has none. */
function withoutEscapes({ bytes, placeOf }: Layer): Layer | undefined {
  // What an escape stands for is never longer than the escape.
  const [starts, ends] = [new Uint32Array(bytes.length), new Uint32Array(bytes.length)];
  const pieces: string[] = [];
  let [size, done] = [0, 0];
  const keep = (end: number) => {
    pieces.push(bytes.slice(done, end));
    for (; done < end; done += 1) starts[size] = ends[size++] = done;
  };
  escapes.lastIndex = 0;
  for (let match: RegExpExecArray | null; (match = escapes.exec(bytes)); ) {
    if (match.index > done) keep(match.index);
    const piece = toUnescaped(match);
    pieces.push(piece);
    done = escapes.lastIndex;
    starts.fill(match.index, size, size + piece.length);
    ends.fill(done - 1, size, size + piece.length);
    size += piece.length;
  }
  if (pieces.length === 0) return undefined;
  keep(bytes.length);
  return {
    bytes: pieces.join(''),
    placeOf: (at) => [placeOf(starts[at] as number)[0], placeOf(ends[at] as number)[1]],
  };
}

/** The bytes that an escape stands for. */
function toUnescaped(match: RegExpExecArray): string {
  const [, percent, byte, units, char, hex, decimal, name = ''] = match;
  if (char !== undefined) return controls[char] ?? char;
  if (units !== undefined) return toBytes(JSON.parse(`"\\u${units}"`));
  const code = percent ?? byte;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (hex === undefined && decimal === undefined) return named[name.toLowerCase()] ?? '';
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? toBytes(String.fromCodePoint(point)) : '';
}

function toLayer(text: string): Layer {
  const bytes = toBytes(text);
  if (bytes.length === text.length) return { bytes, placeOf: (at) => [at, at + 1] };
  const places = new Uint32Array(bytes.length);
  for (let [at, size] = [0, 0]; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) as number);
    for (let byte = Buffer.byteLength(char); byte > 0; byte -= 1) places[size++] = at;
    at += char.length;
  }
  return {
    bytes,
    placeOf: (at) => {
      const start = places[at] as number;
      return [start, start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)];
    },
  };
}

/** A text in UTF-8, with a character for each byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
