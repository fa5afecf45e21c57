import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { countOf, number } from '../../../../common/look/amounts.ts';
import type { EntrySummary } from '../../../journal/entry.ts';
import { explainReason, toTone } from '../../../journal/explain-reason.ts';
import type { RequestsView } from '../../admin/request-handlers.ts';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { button, pagesOf } from './panel.ts';
import { requestDetail } from './request-detail.ts';
import { RowsTable } from './rows-table.ts';
import type { PanelState } from './state.ts';

type RequestList = RequestsView<EntrySummary>;

/** How many requests the page holds: the newest ones. */
const maxHeld = 500;

const path = `requests?fields=summary&admin=true&limit=${maxHeld}`;

/** The requests to the sandbox as they come. */
export function requestsPanel(state: PanelState): JSX.Element {
  const { value: latest, problem } = state.reading<RequestList>(path);
  const [paused, setPaused] = state.keep<RequestList | undefined>('paused', undefined);
  const [filter, setFilter] = state.remember('requests filter', noFilter);
  const [open, setOpen] = state.keep<number | undefined>('open', undefined);
  const held = (paused ?? latest)?.requests ?? [];
  const fitting = held.filter((request) => fits(request, filter));
  const { shown, pager } = pagesOf(state, fitting, { about: 'requests', size: 100 });
  const pause = () => setPaused(paused ? undefined : latest);
  const onCleared = () => {
    setPaused(undefined);
    setOpen(undefined);
  };
  return html`
    <div class=${open === undefined ? 'live' : 'live has-detail'}>
      ${requestFilters(held, filter, setFilter)}
      <div class="live-state">
        ${latest && countsLine(latest, paused, { held: held.length, shown: fitting.length })}
        ${connection(problem, latest !== undefined)}
        <button type="button" aria-pressed=${paused !== undefined} onClick=${pause}>Pause</button>
        ${button({
          label: 'Delete all requests',
          dangerous: 'Delete all requests of this sandbox from the journal?',
          operation: { method: 'DELETE', path: 'requests' },
          onDone: onCleared,
        })}
      </div>
      <div class="live-parts">
        <div class="live-list">
          ${
            shown.length === 0
              ? latest && emptyList(held.length > 0)
              : h(RowsTable<EntrySummary>, {
                  label: 'Requests',
                  kind: 'requests',
                  columns,
                  opener: 1,
                  rows: shown,
                  idOf: ({ id }) => id,
                  cellsOf: toCells,
                  open,
                  onOpen: ({ id }) => setOpen(id),
                })
          }
          ${pager}
        </div>
        ${open !== undefined && requestDetail(state, open, setOpen)}
      </div>
    </div>
  `;
}

const columns = [
  { id: 'status', title: 'Status' },
  { id: 'request', title: 'Request and reason' },
  { id: 'key', title: 'Key' },
  { id: 'time', title: 'Time' },
];

function toCells(request: EntrySummary): JSX.Element[] {
  const { status, method, url, key, at } = request;
  const reason = explainReason(request).replace(/^[^:]*: /, '');
  const line = `${method ?? ''} ${url ?? 'not HTTP'}`.trim();
  return [
    html`<span class="badge ${toTone(status)}">${status ?? 'none'}</span>`,
    html`<code>${quoted(line)}</code> <span class="sub">${quoted(reason)}</span>`,
    quoted(key ?? ''),
    html`${new Date(at).toLocaleTimeString('en-GB')}`,
  ];
}

/**
 * Which requests are shown; all that is not empty must hold. `none` stands for those without an
 * operation, a key or a response.
 */
export type RequestFilter = {
  operation: string;
  /** A status, or a class such as `4xx`. */
  status: string;
  key: string;
  /** Text in what the list shows of it, in any case. */
  text: string;
};

export const noFilter: RequestFilter = { operation: '', status: '', key: '', text: '' };

/** The value for a field that a request does not have; no operation or key has this name. */
export const none = '(none)';

/** The values of a field by which requests can be filtered. */
export function seenIn(
  requests: readonly EntrySummary[],
  field: 'operation' | 'status' | 'key',
  others: readonly string[] = [],
): string[] {
  const values = requests.flatMap((request) => request[field] ?? []);
  return [...new Set([...others, ...values.map(String)])].sort();
}

/** Whether a filter shows a request. */
export function fits(
  request: EntrySummary,
  { operation, status, key, text }: RequestFilter,
): boolean {
  const ofStatus = request.status === null ? none : String(request.status);
  return (
    (operation === '' || (request.operation ?? none) === operation) &&
    (key === '' || (request.key ?? none) === key) &&
    (status === '' || ofStatus === status || `${ofStatus[0]}xx` === status) &&
    (text === '' || searchTextOf(request).includes(text.toLowerCase()))
  );
}

function searchTextOf(request: EntrySummary): string {
  const { method, url, operation, key, reason } = request;
  const texts = [method, url, operation, key, reason.error, explainReason(request)];
  return texts.join('\n').toLowerCase();
}

/** The fields that say which requests are shown; they offer what is held. */
function requestFilters(
  held: readonly EntrySummary[],
  filter: RequestFilter,
  onFilter: (filter: RequestFilter) => void,
): JSX.Element {
  const field = fieldsOf({
    draft: filter,
    onChange: (changed) => onFilter({ ...filter, ...changed }),
  });
  const choice = (name: keyof RequestFilter, label: string, seen: string[], rest = 'None') =>
    field.select(name, label, [['', 'All'], ...seen, [none, rest]]);
  const statuses = seenIn(held, 'status', ['2xx', '3xx', '4xx', '5xx']);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return html`
    <div class="row filters" role="search" aria-label="Requests">
      ${field.text('text', 'Text in method, URL or reason', { kind: 'search' })}
      ${choice('operation', 'Operation', seenIn(held, 'operation'))}
      ${choice('status', 'Status', statuses, 'No response')}
      ${choice('key', 'Key', seenIn(held, 'key'))}
      ${
        isFiltered &&
        html`<button type="button" onClick=${() => onFilter(noFilter)}>Show all requests</button>`
      }
    </div>
  `;
}

/** How many requests there were, and how many of them the list does not show. */
function countsLine(
  latest: RequestList,
  paused: RequestList | undefined,
  { held, shown }: { held: number; shown: number },
): JSX.Element {
  const totalOf = ({ meta }: RequestList) => meta.total + meta.dropped;
  const total = totalOf(latest);
  const pause = paused && `, ${number(Math.max(0, total - totalOf(paused)))} since the pause`;
  return html`
    <p class="counts">
      <strong>${countOf(total, 'request')}</strong>, ${number(shown)} shown${pause}.
      ${held === maxHeld && ` This page has the latest ${number(held)}.`}
    </p>
  `;
}

/** Says once when the connection is lost, and when it is back. */
function connection(problem: string | undefined, isRead: boolean): JSX.Element {
  if (problem !== undefined)
    return html`
      <p role="status" class="connection is-drift">${quoted(`${problem} Trying again ...`)}</p>
    `;
  const text = isRead ? 'Live' : 'Connecting ...';
  return html`<p role="status" class="connection is-kept">${text}</p>`;
}

/** Shows the text in place of an empty list. */
function emptyList(isFiltered: boolean): JSX.Element {
  if (isFiltered) return html`<p class="card none">No request fits the filters.</p>`;
  return html`
    <p class="card none">
      There is no request yet. The <a href="../">start page</a> has lines that send one; it appears
      here with the reason for its response.
    </p>
  `;
}
