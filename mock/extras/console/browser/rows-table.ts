import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

type TableProps<Row> = {
  label: string;
  /** The class of the table; cells have the class `is-ID` of their column. */
  kind: string;
  /** The columns in their order. */
  columns: readonly { id: string; title: string }[];
  /** Which of the columns has the button that opens a row. */
  opener: number;
  rows: readonly Row[];
  idOf: (row: Row) => string | number;
  cellsOf: (row: Row) => readonly (JSX.Element | string)[];
  /** The id of the row that is open. */
  open: string | number | undefined;
  onOpen: (row: Row) => void;
};

/**
 * A table whose rows open, with a click anywhere or a button; the arrow keys lead from button to
 * button. The row that was open has the focus again once it is closed.
 */
export function RowsTable<Row>(props: TableProps<Row>): JSX.Element {
  const { label, kind, columns, opener, rows, idOf, cellsOf, open, onOpen } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const wasOpen = useRef<string | number>(undefined);
  useLayoutEffect(() => {
    const closed = rows.findIndex((row) => idOf(row) === wasOpen.current);
    if (open === undefined && closed !== -1) focusRow(body.current?.children[closed]);
    wasOpen.current = open;
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest('tr');
    const others: Record<string, Element | null | undefined> = {
      ArrowDown: row?.nextElementSibling,
      ArrowUp: row?.previousElementSibling,
    };
    if (!(event.key in others)) return;
    event.preventDefault();
    focusRow(others[event.key]);
  };
  const toRow = (row: Row) => {
    const id = idOf(row);
    const cells = cellsOf(row).map((content, at) => {
      const shown =
        at === opener ? html`<button type="button" class="opener">${content}</button>` : content;
      return html`<td key=${at} class="is-${columns[at]?.id}">${shown}</td>`;
    });
    return html`
      <tr key=${id} aria-current=${id === open ? 'true' : undefined} onClick=${() => onOpen(row)}>
        ${cells}
      </tr>
    `;
  };
  return html`
    <table class="rows-table ${kind}" aria-label=${label}>
      <thead>
        <tr>
          ${columns.map(({ id, title }) => html`<th key=${id} scope="col" class="is-${id}">${title}</th>`)}
        </tr>
      </thead>
      <tbody ref=${body} onKeyDown=${onKeyDown}>${rows.map(toRow)}</tbody>
    </table>
  `;
}

function focusRow(row: Element | null | undefined): void {
  row?.querySelector<HTMLElement>('.opener')?.focus();
}
