import { h, type JSX } from 'preact';
import type { EntrySummary } from '../../journal/entry.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { toTone } from '../../pages/browser/status-tone.ts';
import { toSentence } from './reason-sentence.ts';

/** The columns of the list in their order. */
export const columns = [
  { id: 'status', title: 'Status' },
  { id: 'method', title: 'Method' },
  { id: 'url', title: 'URL' },
  { id: 'reason', title: 'Reason' },
  { id: 'key', title: 'Key' },
  { id: 'time', title: 'Time' },
] as const;

type Props = {
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
export function RequestRow({ request, place, top, isOpen, isActive, onOpen }: Props): JSX.Element {
  const { status, method, url, key, at } = request;
  const cell = (id: string, text: string) =>
    h('span', { role: 'gridcell', class: `is-${id}` }, h(Shown, { text }));
  return h(
    'div',
    {
      role: 'row',
      class: 'request-row',
      'aria-rowindex': place + 2,
      'aria-selected': isOpen,
      tabIndex: isActive ? 0 : -1,
      style: { transform: `translateY(${top}px)` },
      onClick: onOpen,
    },
    h(
      'span',
      { role: 'gridcell', class: 'is-status' },
      h('span', { class: `badge ${toTone(status)}` }, status ?? 'none'),
    ),
    cell('method', method ?? ''),
    cell('url', url ?? 'not HTTP'),
    cell('reason', toSentence(request).replace(/^[^:]*: /, '')),
    cell('key', key ?? ''),
    cell('time', toTime(at)),
  );
}

/** The reader's time of day, to the millisecond. */
function toTime(instant: string): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`;
}
