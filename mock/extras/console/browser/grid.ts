import { html } from 'htm/preact';
import { h, type JSX, type RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

type GridProps<Row> = {
  label: string;
  /** The class of the grid. */
  kind: string;
  /** The columns in their order; the first one names a row. Cells have the class `is-ID`. */
  columns: readonly { id: string; title: string }[];
  rows: readonly Row[];
  idOf: (row: Row) => string | number;
  /** What is in the cells of a row. It is asked again for another row alone. */
  cellsOf: (row: Row) => readonly (JSX.Element | string)[];
  /** The id of the row that is open. */
  open: string | number | undefined;
  onOpen: (row: Row) => void;
  /** Where the rows begin in a longer list, how many that has, and what shows others of it. */
  part?: { first: number; count: number; onSeek: (place: number) => void };
};

/**
 * Rows that open. One of them is reached with Tab, the others with the arrow keys, those of other
 * parts of a longer list too. At its top the grid shows what is added there; elsewhere, and while a
 * row has the focus or is open, it holds still.
 */
export function Grid<Row>(props: GridProps<Row>): JSX.Element {
  const { label, kind, columns, rows, idOf, cellsOf, open, part } = props;
  const body = useRef<HTMLDivElement>(null);
  const hold = useStillRows(body);
  const { place, setActive } = useActiveRow(props, body);
  const seek = useSeek(props, body);
  const events = eventsOfRows(props, { body, seek, hold, setActive });
  return html`
    <div
      class="grid ${kind}"
      role="grid"
      aria-label=${label}
      aria-rowcount=${part && part.count + 1}
    >
      <div role="rowgroup">
        <div role="row" class="grid-row grid-head" aria-rowindex=${part && 1}>
          ${columns.map(
            ({ id, title }) =>
              html`<span key=${id} role="columnheader" class="is-${id}">${title}</span>`,
          )}
        </div>
      </div>
      <div
        role="rowgroup"
        class="grid-body"
        ref=${body}
        ...${events}
        onScroll=${hold}
        onFocusOut=${() => requestAnimationFrame(hold)}
      >
        ${rows.map((row, at) =>
          h(GridRow<Row>, {
            key: idOf(row),
            row,
            columns,
            cellsOf,
            isOpen: idOf(row) === open,
            isActive: at === place,
            rowIndex: part && part.first + at + 2,
          }),
        )}
      </div>
    </div>
  `;
}

type Body = RefObject<HTMLDivElement | null>;

function elementAt(body: Body, at: number): HTMLElement | undefined {
  return body.current?.children[at] as HTMLElement | undefined;
}

/** The one row that Tab leads to: the one that had the focus last, or what is in its place now. */
function useActiveRow<Row>({ rows, idOf }: GridProps<Row>, body: Body) {
  const [active, setActive] = useState<string | number>();
  const found = rows.findIndex((row) => idOf(row) === active);
  const place = useRef(0);
  place.current = Math.max(0, found === -1 ? Math.min(place.current, rows.length - 1) : found);
  const hadFocus = body.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    // The row with the focus may be gone.
    if (hadFocus && document.activeElement === document.body)
      elementAt(body, place.current)?.focus();
  });
  return { place: place.current, setActive };
}

/** Leads to a row by its place in the whole list, be it in another part of it. */
type Seek = {
  goTo: (wanted: number) => void;
  /** The place in a part that is not shown yet, and whether its row opens once it is. */
  sought: RefObject<number | undefined>;
  opensSought: RefObject<boolean>;
};

function useSeek<Row>({ rows, onOpen, part }: GridProps<Row>, body: Body): Seek {
  const { first, count } = part ?? { first: 0, count: rows.length };
  const sought = useRef<number>(undefined);
  const opensSought = useRef(false);
  const goTo = (wanted: number) => {
    const target = Math.max(0, Math.min(wanted, count - 1));
    const element = elementAt(body, target - first);
    sought.current = element ? undefined : target;
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
    if (!element) part?.onSeek(target);
  };
  useLayoutEffect(() => body.current?.scrollTo(0, 0), [first]);
  useLayoutEffect(() => {
    const target = sought.current;
    if (target === undefined || !elementAt(body, target - first)) return;
    goTo(target);
    const row = rows[target - first];
    if (opensSought.current && row) onOpen(row);
    opensSought.current = false;
  });
  return { goTo, sought, opensSought };
}

type EventParts = {
  body: Body;
  seek: Seek;
  hold: () => void;
  setActive: (id: string | number) => void;
};

/** What rows do when they are reached, clicked, or left with a key. */
function eventsOfRows<Row>(
  { rows, idOf, onOpen, part }: GridProps<Row>,
  { body, seek: { goTo, sought, opensSought }, hold, setActive }: EventParts,
) {
  const { first, count } = part ?? { first: 0, count: rows.length };
  const placeOf = (target: EventTarget | null) =>
    Array.prototype.indexOf.call(body.current?.children, (target as Element).closest('[role=row]'));
  return {
    onFocusIn({ target }: Event) {
      const row = rows[placeOf(target)];
      if (row) setActive(idOf(row));
      hold();
    },
    onClick({ target }: Event) {
      const row = rows[placeOf(target)];
      if (row) onOpen(row);
    },
    onKeyDown(event: KeyboardEvent) {
      const at = placeOf(event.target);
      const row = rows[at];
      if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
      const step = stepsFor(body.current, { at: sought.current ?? first + at, count })[event.key];
      if (step !== undefined) goTo(step);
      else if (event.key !== 'Enter' && event.key !== ' ') return;
      else if (sought.current === undefined) onOpen(row);
      else opensSought.current = true;
      event.preventDefault();
    },
  };
}

type RowProps<Row> = Pick<GridProps<Row>, 'columns' | 'cellsOf'> & {
  row: Row;
  isOpen: boolean;
  /** Whether it is the one row that Tab leads to. */
  isActive: boolean;
  rowIndex: number | undefined;
};

function GridRow<Row>(props: RowProps<Row>): JSX.Element {
  const { row, columns, cellsOf, isOpen, isActive, rowIndex } = props;
  const cells = useMemo(() => {
    const contents = cellsOf(row);
    return columns.map(
      ({ id }, at) => html`<span key=${id} role="gridcell" class="is-${id}">${contents[at]}</span>`,
    );
  }, [row, columns]);
  return html`
    <div
      role="row"
      class="grid-row"
      aria-rowindex=${rowIndex}
      aria-selected=${isOpen}
      tabindex=${isActive ? 0 : -1}
    >
      ${cells}
    </div>
  `;
}

/** Where each key leads from a row. */
function stepsFor(
  body: HTMLElement | null,
  { at, count }: { at: number; count: number },
): Readonly<Record<string, number>> {
  const [row] = body?.children ?? [];
  const inSight = (body?.clientHeight ?? 0) / Math.max(1, row?.clientHeight ?? 1);
  const page = Math.max(1, Math.floor(inSight) - 1);
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
}

/**
 * Keeps the row that a reader looks at where it is in its scroller, whatever is drawn above it and
 * however high rows become: the one with the focus, or else the open one, or the first in sight.
 * Gives a function that notes it.
 */
function useStillRows(body: RefObject<HTMLElement | null>): () => void {
  const held = useRef<{ row: HTMLElement; top: number }>(undefined);
  useLayoutEffect(() => {
    const [scroller, row] = [body.current, held.current?.row];
    // What is not drawn has no place.
    if (!scroller || !row?.isConnected || scroller.clientHeight === 0) return;
    const top = row.offsetTop - (held.current?.top ?? 0);
    if (Math.abs(scroller.scrollTop - top) >= 1) scroller.scrollTop = top;
  });
  return () => {
    const scroller = body.current;
    if (!scroller || scroller.clientHeight === 0) return;
    const { scrollTop, clientHeight } = scroller;
    const isInSight = (row: HTMLElement | null) =>
      row &&
      row.offsetTop + row.offsetHeight > scrollTop &&
      row.offsetTop < scrollTop + clientHeight;
    const rows = [...scroller.children] as HTMLElement[];
    const row =
      [':focus', '[aria-selected="true"]']
        .map((one) => scroller.querySelector<HTMLElement>(`:scope > ${one}`))
        .find(isInSight) ?? (scrollTop > 0 ? rows.find(isInSight) : undefined);
    held.current = row && { row, top: row.offsetTop - scrollTop };
  };
}
