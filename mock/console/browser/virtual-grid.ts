import { h, type JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { focusActiveRow, onGridKey, overscan, useGridSize } from './grid-rows.ts';

type Props = {
  label: string;
  /** The titles of the columns; the first one is the name of a row. */
  columns: readonly string[];
  /** How many rows there are. */
  count: number;
  /** The cells of a row; undefined while they are read. */
  cellsOf: (row: number) => readonly JSX.Element[] | undefined;
  /** Called with the first row in sight and how many there are. */
  onSight: (first: number, count: number) => void;
  /** Which row is open. */
  open: number | undefined;
  onOpen: (row: number) => void;
};

/** Browsers draw nothing beyond some 33 million pixels; a longer list scrolls faster instead. */
const maxHeight = 10_000_000;

/** A grid of any number of rows, of which only those in sight are drawn. */
export function VirtualGrid(props: Props): JSX.Element {
  const { label, columns, count, cellsOf, onSight, open, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useGridSize(scroller);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const takesFocus = useRef(false);

  const inSight = size.height / size.row;
  const height = Math.min(count * size.row, maxHeight);
  const room = Math.max(0, height - size.height);
  const maxFirst = Math.max(0, count - inSight);
  const scrolled = Math.min(top, room);
  const first = room === 0 ? 0 : (scrolled / room) * maxFirst;
  const from = Math.max(0, Math.floor(first) - overscan);
  const to = Math.min(count, Math.ceil(first + inSight) + overscan);
  const current = Math.max(0, Math.min(active, count - 1));
  const rows = new Set<number>();
  for (let row = from; row < to; row++) rows.add(row);
  // The row that the keyboard is at stays, wherever the grid is scrolled to.
  if (count > 0) rows.add(current);

  useLayoutEffect(() => onSight(from, to - from), [from, to]);
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    focusActiveRow(scroller.current);
  });

  const goTo = (wanted: number) => {
    const row = Math.max(0, Math.min(wanted, count - 1));
    takesFocus.current = true;
    setActive(row);
    const next = row < first ? row : Math.max(first, row + 1 - inSight);
    if (next === first || !scroller.current) return;
    const scrollTop = maxFirst === 0 ? 0 : (next / maxFirst) * room;
    scroller.current.scrollTop = scrollTop;
    setTop(scrollTop);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const open = count > 0 ? () => onOpen(current) : undefined;
    onGridKey(event, { current, count, inSight, goTo, open });
  };
  const rowOf = (row: number): JSX.Element => {
    const cells = cellsOf(row);
    return h(
      'div',
      {
        key: row,
        role: 'row',
        class: 'grid-row',
        'aria-rowindex': row + 2,
        'aria-selected': row === open,
        tabIndex: row === current ? 0 : -1,
        style: { transform: `translateY(${scrolled + (row - first) * size.row}px)` },
        onClick: () => {
          setActive(row);
          onOpen(row);
        },
      },
      ...columns.map((column, place) =>
        h('span', { key: column, role: 'gridcell' }, cells ? cells[place] : place === 0 && '...'),
      ),
    );
  };

  return h(
    'div',
    { class: 'grid', role: 'grid', 'aria-label': label, 'aria-rowcount': count + 1 },
    h(
      'div',
      { role: 'rowgroup' },
      h(
        'div',
        { role: 'row', 'aria-rowindex': 1, class: 'grid-row grid-head' },
        ...columns.map((column) => h('span', { key: column, role: 'columnheader' }, column)),
      ),
    ),
    h(
      'div',
      {
        role: 'rowgroup',
        class: 'grid-body',
        ref: scroller,
        onScroll: ({ currentTarget }: Event) => setTop((currentTarget as HTMLElement).scrollTop),
        onKeyDown,
      },
      h(
        'div',
        { role: 'presentation', class: 'grid-all', style: { height: `${height}px` } },
        ...[...rows].sort((left, right) => left - right).map(rowOf),
      ),
    ),
  );
}
