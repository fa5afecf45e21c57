import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EntrySummary } from '../../journal/entry.ts';
import { toTone } from '../../pages/browser/explain-reason.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { focusActiveRow, onGridKey, overscan, useGridSize } from './grid-rows.ts';
import { type RequestLog, toSentence } from './request-log.ts';
import { useFrames } from './requests-panel.ts';

type ListProps = {
  log: RequestLog;
  /** The id of the request that is open beside the list. */
  open: number | undefined;
  /** What stands in the place of the rows where there is none. */
  empty: JSX.Element;
  onOpen: (id: number) => void;
};

/**
 * The requests as a grid of which only the rows in sight are drawn. At its top it follows the newest
 * request; elsewhere, and while a row has the focus, it holds still.
 */
export function RequestList({ log, open, empty, onOpen }: ListProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const size = useGridSize(scroller);
  /** The request at the upper edge and how much of it is out of sight; at the top there is none. */
  const anchor = useRef<{ id: number; offset: number }>(undefined);
  /** The request that the keyboard is at. */
  const active = useRef<number>(undefined);
  const takesFocus = useRef(false);
  const draw = useFrames();

  const length = log.length();
  // Keys come faster than frames, so places are worked out when they are needed.
  const topOf = () =>
    anchor.current ? log.indexOf(anchor.current.id) * size.row + anchor.current.offset : 0;
  const activePlace = () =>
    active.current === undefined ? 0 : Math.min(log.indexOf(active.current), log.length() - 1);
  const top = topOf();
  const activeIndex = activePlace();
  const firstShown = Math.max(0, Math.floor(top / size.row) - overscan);
  const lastShown = Math.min(length, Math.ceil((top + size.height) / size.row) + overscan);
  const places = new Set<number>();
  for (let place = firstShown; place < lastShown; place++) places.add(place);
  // A row that has the focus stays, wherever the list is scrolled to.
  if (length > 0) places.add(activeIndex);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    if (takesFocus.current) {
      takesFocus.current = false;
      focusActiveRow(element);
    }
  });

  const anchorTo = (scrollTop: number) => {
    const place = Math.floor(scrollTop / size.row);
    const request = scrollTop > 0 || hasFocus() ? log.at(place) : undefined;
    anchor.current = request && { id: request.id, offset: scrollTop - place * size.row };
    draw();
  };
  const hasFocus = () =>
    scroller.current?.contains(document.activeElement) === true &&
    document.activeElement !== scroller.current;
  const goTo = (place: number) => {
    const target = Math.max(0, Math.min(place, log.length() - 1));
    const request = log.at(target);
    if (!request) return;
    takesFocus.current = true;
    active.current = request.id;
    const top = topOf();
    const above = target * size.row;
    const below = above + size.row - size.height;
    const scrollTop = above < top ? above : Math.max(below, top);
    anchorTo(scrollTop);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const current = activePlace();
    const request = log.at(current);
    onGridKey(event, {
      current,
      count: log.length(),
      inSight: size.height / size.row,
      goTo,
      open: request && (() => onOpen(request.id)),
    });
  };

  return html`
    <div class="requests" role="grid" aria-label="Requests" aria-rowcount=${length + 1}>
      <div role="rowgroup" class="requests-head">
        <div role="row" aria-rowindex="1" class="request-row">
          ${columns.map(
            ({ id, title }) =>
              html`<span key=${id} role="columnheader" class="is-${id}">${title}</span>`,
          )}
        </div>
      </div>
      <div
        role="rowgroup"
        class="requests-body"
        ref=${scroller}
        onScroll=${({ currentTarget }: Event) => anchorTo((currentTarget as HTMLElement).scrollTop)}
        onFocusIn=${() => anchorTo(scroller.current?.scrollTop ?? 0)}
        onFocusOut=${() => requestAnimationFrame(() => anchorTo(scroller.current?.scrollTop ?? 0))}
        onKeyDown=${onKeyDown}
      >
        <div
          role="presentation"
          class="requests-all"
          style=${{ height: `${length * size.row}px` }}
        >
          ${[...places]
            .sort((left, right) => left - right)
            .flatMap((place) => {
              const request = log.at(place);
              return request
                ? h(RequestRow, {
                    key: request.id,
                    request,
                    place,
                    top: place * size.row,
                    isOpen: request.id === open,
                    isActive: place === activeIndex,
                    onOpen: () => {
                      active.current = request.id;
                      onOpen(request.id);
                    },
                  })
                : [];
            })}
        </div>
      </div>
      ${length === 0 && empty}
    </div>
  `;
}

/** The columns of the list in their order. */
export const columns = [
  { id: 'status', title: 'Status' },
  { id: 'method', title: 'Method' },
  { id: 'url', title: 'URL' },
  { id: 'reason', title: 'Reason' },
  { id: 'key', title: 'Key' },
  { id: 'time', title: 'Time' },
] as const;

type RowProps = {
  request: EntrySummary;
  place: number;
  /** How far below the upper edge of the list it is drawn, in pixels. */
  top: number;
  isOpen: boolean;
  /** Whether it is the one row that Tab leads to. */
  isActive: boolean;
  onOpen: () => void;
};

/** A request on a line. */
export function RequestRow({
  request,
  place,
  top,
  isOpen,
  isActive,
  onOpen,
}: RowProps): JSX.Element {
  const { status, method, url, key, at } = request;
  const cell = (id: string, text: string) =>
    html`<span role="gridcell" class="is-${id}">${quoted(text)}</span>`;
  return html`
    <div
      role="row"
      class="request-row"
      aria-rowindex=${place + 2}
      aria-selected=${isOpen}
      tabIndex=${isActive ? 0 : -1}
      style=${{ transform: `translateY(${top}px)` }}
      onClick=${onOpen}
    >
      <span role="gridcell" class="is-status">
        <span class="badge ${toTone(status)}">${status ?? 'none'}</span>
      </span>
      ${cell('method', method ?? '')}
      ${cell('url', url ?? 'not HTTP')}
      ${cell('reason', toSentence(request).replace(/^[^:]*: /, ''))}
      ${cell('key', key ?? '')}
      ${cell('time', toTime(at))}
    </div>
  `;
}

/** The reader's time of day, to the millisecond. */
function toTime(instant: string): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`;
}
