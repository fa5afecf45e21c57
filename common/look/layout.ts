import stringWidth from 'string-width';

const gap = 2;

const segmenter = new Intl.Segmenter();

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Text filled with spaces up to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/**
 * Text in lines of at most `room` columns, broken between words; a word that fits into no line is
 * broken too. Never no line.
 */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const rest = last === undefined ? room : room - widthOf(last) - 1;
    const head = widthOf(word) <= room ? word : clip(word, rest < 4 ? room : rest);
    if (last !== undefined && widthOf(head) <= rest) lines[lines.length - 1] = `${last} ${head}`;
    else if (word !== '' || last === undefined) lines.push(head);
    if (head !== word) lines.push(...toPieces(word.slice(head.length), room));
  }
  return lines.map((line) => line.trimEnd());
}

/** The first `maxLines` lines of a wrapped text, marked where there were more. */
export function wrapUpTo(text: string, room: number, maxLines: number): string[] {
  const lines = wrap(text, room);
  return lines.length > maxLines
    ? [...lines.slice(0, maxLines - 1), `${clip(lines[maxLines - 1] as string, room - 4)} ...`]
    : lines;
}

/** The beginning of a text that fits into `room` columns. */
export function clip(text: string, room: number): string {
  return toPieces(text, room)[0] as string;
}

/**
 * Widths for the columns of a table: as wide as their cells; where that is more than `room`, the
 * widest give way.
 */
export function toWidths(rows: readonly (readonly string[])[], room: number): number[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const sum = () => widths.reduce((total, width) => total + width, gap * (columns - 1));
  while (sum() > room) widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  return widths;
}

/** A row of a table as lines: each cell wrapped to its column, and painted. */
export function toRowLines(
  cells: readonly string[],
  widths: readonly number[],
  paint: (line: string, column: number) => string,
) {
  const wrapped = cells.map((text, index) => wrap(text, widths[index] as number));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    wrapped
      .map(({ [at]: line = '' }, index) => {
        const space = ' '.repeat(
          (widths[index] as number) - widthOf(line) + (index < cells.length - 1 ? gap : 0),
        );
        return line === '' ? space : paint(line, index) + space;
      })
      .join('')
      .trimEnd(),
  );
}

function toPieces(word: string, room: number): string[] {
  const pieces = [''];
  let width = 0;
  for (const { segment: grapheme } of segmenter.segment(word)) {
    const more = widthOf(grapheme);
    if (width + more > room) {
      pieces.push('');
      width = 0;
    }
    pieces[pieces.length - 1] += grapheme;
    width += more;
  }
  return pieces;
}
