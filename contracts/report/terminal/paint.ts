import { stripVTControlCharacters, styleText } from 'node:util';
import {
  padTo,
  toRowLines,
  toWidths,
  widthOf,
  wrap,
  wrapUpTo,
} from '../../../common/look/layout.ts';
import { toExcerpt } from '../../../common/look/visible.ts';
import type { Report, Verdict } from '../events.ts';
import type { Fact } from '../facts.ts';

export type Style = Parameters<typeof styleText>[0];

/** Styles a text for an output, and knows how many columns are used there. */
export type Paint = { (style: Style, text: string): string; readonly columns: number };

/** A cell of a table: its text, and how it looks. */
export type Cell = string | [style: Style, text: string];

/** How verdicts look. */
export const styles: Readonly<Record<Verdict | Report['verdict'], Style>> = {
  drift: ['red', 'bold'],
  unanswered: ['yellow', 'bold'],
  standard: ['yellow', 'bold'],
  undocumented: ['yellow', 'bold'],
  moved: ['magenta', 'bold'],
  mock: 'bold',
  known: 'bold',
  difference: 'bold',
  client: 'bold',
  clean: ['green', 'bold'],
  incomplete: ['yellow', 'bold'],
};

const columnsOf = { terminal: 80, file: 100 };

/** Styles texts for an output, coloured where it wants that. */
export function createPaint(out: { isTTY?: boolean }): Paint {
  const styled = (style: Style, text: string) =>
    styleText(style, text, { stream: out as NodeJS.WriteStream });
  const columns = out.isTTY ? columnsOf.terminal : columnsOf.file;
  return Object.assign(styled, { columns });
}

/** The title of a block, and what it means. */
export function heading(
  name: string,
  meaning: string,
  paint: Paint,
  style: Style = 'bold',
): string {
  return labelled(paint(style, name.toUpperCase()), meaning, paint, 'dim').join('\n');
}

/** A text beside its label, wrapped there. */
export function labelled(label: string, text: string, paint: Paint, style?: Style): string[] {
  const width = widthOf(stripVTControlCharacters(label)) + 2;
  const lines = wrap(text, paint.columns - width).map((line) =>
    style === undefined ? line : paint(style, line),
  );
  return lines.map((line, index) => (index === 0 ? `${label}  ${line}` : ' '.repeat(width) + line));
}

/** Rows in columns of one width each, wrapped in their cells. */
export function toTable(rows: Cell[][], paint: Paint, indent = 2): string[] {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell[1])));
  const widths = toWidths(texts, paint.columns - indent);
  return texts.flatMap((row, at) =>
    toRowLines(row, widths, (line, column) => {
      const cell = rows[at]?.[column];
      return typeof cell === 'object' ? paint(cell[0], line) : line;
    }).map((line) => ' '.repeat(indent) + line),
  );
}

/** A text wrapped behind an indent. */
export function indented(text: string, indent: number, paint: Paint): string[] {
  return wrap(text, paint.columns - indent).map((line) => ' '.repeat(indent) + line);
}

/** An item of a list, wrapped beside its mark. */
export function bullet(text: string, indent: number, { columns }: Paint): string[] {
  return wrapUpTo(text, columns - indent - 2, 3).map(
    (line, index) => `${' '.repeat(indent)}${index === 0 ? '-' : ' '} ${line}`,
  );
}

/**
 * Facts under their labels, a few lines each; an address stays on one line, as no terminal follows
 * one that is broken.
 */
export function toFactLines(facts: readonly Fact[], paint: Paint): string[] {
  const width = 8;
  return facts.flatMap(([label, text], at) => {
    const lines =
      label === 'docs' ? [text] : wrapUpTo(toExcerpt(text, 400), paint.columns - 6 - width, 4);
    const isFirst = facts[at - 1]?.[0] !== label;
    return lines.map(
      (line, index) =>
        `    ${paint('dim', padTo(isFirst && index === 0 ? label : '', width))}  ${line}`,
    );
  });
}
