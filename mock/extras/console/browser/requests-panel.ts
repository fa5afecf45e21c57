import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EntrySummary } from '../../../journal/entry.ts';
import { toTone } from '../../pages/browser/explain-reason.ts';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { quoted, shellLine } from '../../pages/browser/parts.ts';
import type { OperationView } from '../../pages/operation-view.ts';
import { toSamples } from '../../pages/samples.ts';
import { ActionButton } from './action-button.ts';
import { readPageData } from './page.ts';
import { usePages } from './panel.ts';
import { RequestDetail } from './request-detail.ts';
import { type FeedState, openFeed } from './request-feed.ts';
import {
  addRequests,
  emptyLog,
  noFilter,
  none,
  type RequestFilter,
  type RequestLog,
  seenIn,
  shownOf,
  togglePause,
  toSentence,
} from './request-log.ts';
import { RowsTable } from './rows-table.ts';
import { useAdminClient, useRemembered } from './use-admin.ts';
import { countOf, number } from './words.ts';

/** The requests to the sandbox as they come. */
export function RequestsPanel(): JSX.Element {
  const { log, feed, change } = useRequests();
  const [filter, setFilter] = useRemembered('requests filter', noFilter);
  const [open, setOpen] = useState<number>();
  const fitting = shownOf(log, filter);
  const { shown, pager } = usePages(fitting, { about: 'requests', size: 100 });
  // The same element is not drawn again, however many requests come meanwhile.
  const detail = useMemo(() => {
    const onClose = () => setOpen(undefined);
    return open && h(RequestDetail, { key: open, id: open, onClose, onOpen: setOpen });
  }, [open]);
  const pause = () => change(togglePause);
  const onCleared = () => {
    change(() => emptyLog);
    setOpen(undefined);
  };
  return html`
    <div class=${open === undefined ? 'live' : 'live has-detail'}>
      ${requestFilters(log, filter, setFilter)}
      <div class="live-state">
        ${countsLine(log, fitting.length)}
        ${connection(feed)}
        <button type="button" aria-pressed=${log.paused !== undefined} onClick=${pause}>Pause</button>
        ${h(ActionButton, {
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
              ? emptyList(feed, { isFiltered: log.held.length > 0 })
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
        ${detail}
      </div>
    </div>
  `;
}

/**
 * Reads the requests of the sandbox, and draws at most once a frame. The connection is closed while
 * the page is hidden, as a browser opens no more than six to a host.
 */
function useRequests() {
  const admin = useAdminClient();
  const [feed, setFeed] = useState<FeedState>({ state: 'connecting' });
  const [, setDrawn] = useState(0);
  const log = useRef(emptyLog);
  const frame = useRef<number>(undefined);
  const change = (toNext: (log: RequestLog) => RequestLog) => {
    log.current = toNext(log.current);
    frame.current ??= requestAnimationFrame((at) => {
      frame.current = undefined;
      setDrawn(at);
    });
  };
  useEffect(() => {
    const listener = {
      onStart: () => change(({ paused }) => ({ ...emptyLog, paused })),
      onRequests: (requests: EntrySummary[]) => change((before) => addRequests(before, requests)),
      onState: setFeed,
    };
    let close = () => {};
    const follow = () => {
      close();
      close = document.hidden ? () => {} : openFeed(admin, listener);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      close();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [admin]);
  return { log: log.current, feed, change };
}

const columns = [
  { id: 'status', title: 'Status' },
  { id: 'request', title: 'Request and reason' },
  { id: 'key', title: 'Key' },
  { id: 'time', title: 'Time' },
];

function toCells(request: EntrySummary): JSX.Element[] {
  const { status, method, url, key, at } = request;
  const reason = toSentence(request).replace(/^[^:]*: /, '');
  const line = `${method ?? ''} ${url ?? 'not HTTP'}`.trim();
  return [
    html`<span class="badge ${toTone(status)}">${status ?? 'none'}</span>`,
    html`<code>${quoted(line)}</code> <span class="sub">${quoted(reason)}</span>`,
    quoted(key ?? ''),
    html`${new Date(at).toLocaleTimeString('en-GB')}`,
  ];
}

/** The fields that say which requests are shown; they offer what is held. */
function requestFilters(
  log: RequestLog,
  filter: RequestFilter,
  onFilter: (filter: RequestFilter) => void,
): JSX.Element {
  const field = fieldsOf({
    draft: filter,
    onChange: (changed) => onFilter({ ...filter, ...changed }),
  });
  const choice = (name: keyof RequestFilter, label: string, seen: string[], rest = 'None') =>
    field.select(name, label, [['', 'All'], ...seen, [none, rest]]);
  const statuses = seenIn(log, 'status', ['2xx', '3xx', '4xx', '5xx']);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return html`
    <div class="row filters" role="search" aria-label="Requests">
      ${field.text('text', 'Text in method, URL or reason', { kind: 'search' })}
      ${choice('operation', 'Operation', seenIn(log, 'operation'))}
      ${choice('status', 'Status', statuses, 'No response')}
      ${choice('key', 'Key', seenIn(log, 'key'))}
      ${
        isFiltered &&
        html`<button type="button" onClick=${() => onFilter(noFilter)}>Show all requests</button>`
      }
    </div>
  `;
}

/** How many requests there were, and how many of them the list does not show. */
function countsLine({ held, total, paused }: RequestLog, shown: number): JSX.Element {
  const pause = paused && `, ${number(paused.waiting)} since the pause`;
  return html`
    <p class="counts">
      <strong>${countOf(total, 'request')}</strong>, ${number(shown)} shown${pause}.
      ${total > held.length && ` This page holds the latest ${number(held.length)}.`}
    </p>
  `;
}

/** Says once when the connection is lost, and when it is back. */
function connection(feed: FeedState): JSX.Element {
  if (feed.state === 'lost')
    return html`
      <p role="status" class="connection is-drift">${quoted(`${feed.problem} Trying again ...`)}</p>
    `;
  const text = feed.state === 'live' ? 'Live' : 'Connecting ...';
  return html`<p role="status" class="connection is-kept">${text}</p>`;
}

/** What stands in the place of a list without rows. */
function emptyList(feed: FeedState, { isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (!isFiltered && feed.state === 'live') return h(FirstRequest, {});
  const text = isFiltered ? 'No request fits the filters.' : 'No request is shown.';
  return html`<p class="card none">${text}</p>`;
}

/** What to do where no request came yet: a line that sends one. */
function FirstRequest(): JSX.Element {
  const line = useExampleLine();
  return html`
    <div class="card none stack">
      <p>There is no request yet.${line !== undefined && ' Send one:'}</p>
      ${line !== undefined && html`<div class="row">${shellLine(line)}</div>`}
      <p>It appears here as it comes, with the reason for its response.</p>
    </div>
  `;
}

/** Undefined before it is read, and where no call can be made that the twin accepts. */
function useExampleLine(): string | undefined {
  const [line, setLine] = useState<string>();
  useEffect(() => {
    const { example } = readPageData();
    if (example === undefined) return;
    const root = new URL('../', document.baseURI).href.replaceAll("'", '%27');
    const read = async () => {
      const url = `${root}__pages/operation.json?id=${encodeURIComponent(example)}`;
      const view = (await (await fetch(url)).json()) as OperationView;
      const [curl] = toSamples(view, root.slice(0, -1) + view.basePath);
      setLine(curl?.text);
    };
    // The page says itself that the twin is gone.
    void read().catch(() => undefined);
  }, []);
  return line;
}
