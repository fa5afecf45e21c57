import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EntrySummary } from '../../../journal/entry.ts';
import { toTone } from '../../pages/browser/explain-reason.ts';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { quoted, shellLine } from '../../pages/browser/parts.ts';
import type { OperationView } from '../../pages/operation-view.ts';
import { toSamples } from '../../pages/samples.ts';
import { ActionButton } from './action-button.ts';
import { Grid } from './grid.ts';
import { readExample } from './page.ts';
import { useRemembered } from './panel.ts';
import { RequestDetail } from './request-detail.ts';
import { type FeedHost, type FeedState, openFeed } from './request-feed.ts';
import {
  createRequestLog,
  maxHeld,
  noFilter,
  none,
  type RequestCounts,
  type RequestFilter,
  type RequestLog,
  toSentence,
} from './request-log.ts';
import { useAdminClient } from './use-admin.ts';

/** The requests to the sandbox as they come. */
export function RequestsPanel(): JSX.Element {
  const { log, feed, draw } = useRequests();
  const [filter, setFilter] = useRemembered('requests filter', noFilter);
  const [open, setOpen] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    if (wasOpen.current && open === undefined) row?.focus({ preventScroll: true });
    wasOpen.current = open !== undefined;
  }, [open]);
  // The same element is not drawn again, however many requests come meanwhile.
  const detail = useMemo(() => {
    const onClose = () => setOpen(undefined);
    return open && h(RequestDetail, { key: open, id: open, onClose, onOpen: setOpen });
  }, [open]);
  const isPaused = log.isPaused();
  const counts = log.counts();
  const shown = log.shown(filter);
  const pause = () => {
    log.setPaused(!isPaused);
    draw();
  };
  const onCleared = () => {
    log.clear('cleared');
    setOpen(undefined);
    draw();
  };
  return html`
    <div class=${open === undefined ? 'live' : 'live has-detail'}>
      ${h(RequestFilters, { filter, seen: log.seen(), onFilter: setFilter, onCleared })}
      <div class="live-state">
        ${countsLine(counts, { shown: shown.length, isPaused })}
        ${connection(feed)}
        <button type="button" aria-pressed=${isPaused} onClick=${pause}>Pause</button>
      </div>
      <div class="live-parts">
        <div class="live-list" ref=${list}>
          ${
            shown.length === 0
              ? emptyList(feed, { isFiltered: counts.held > 0 })
              : h(Grid<EntrySummary>, {
                  label: 'Requests',
                  kind: 'requests',
                  columns,
                  rows: shown,
                  idOf: ({ id }) => id,
                  cellsOf: toCells,
                  open,
                  onOpen: ({ id }) => setOpen(id),
                })
          }
        </div>
        ${detail}
      </div>
    </div>
  `;
}

const pageHost: FeedHost = {
  isHidden: () => document.hidden,
  onHiddenChange: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
  maxPause: 5000,
};

/** Reads the requests of the sandbox, and draws at most once a frame. */
function useRequests(): { log: RequestLog; feed: FeedState; draw: () => void } {
  const admin = useAdminClient();
  const [feed, setFeed] = useState<FeedState>({ state: 'connecting' });
  const [, setDrawn] = useState(0);
  const log = useMemo(() => createRequestLog(), []);
  const frame = useRef<number>(undefined);
  const draw = () => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      setDrawn((count) => count + 1);
    });
  };
  useEffect(() => {
    const onRequests = (requests: EntrySummary[]) => {
      log.add(requests);
      draw();
    };
    const onRestart = () => {
      log.clear('restarted');
      draw();
    };
    const close = openFeed(admin, { onRequests, onState: setFeed, onRestart }, pageHost);
    return () => {
      close();
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    };
  }, [admin, log]);
  return { log, feed, draw };
}

const columns = [
  { id: 'status', title: 'Status' },
  { id: 'method', title: 'Method' },
  { id: 'url', title: 'URL' },
  { id: 'reason', title: 'Reason' },
  { id: 'key', title: 'Key' },
  { id: 'time', title: 'Time' },
];

function toCells(request: EntrySummary): JSX.Element[] {
  const { status, method, url, key, at } = request;
  const reason = toSentence(request).replace(/^[^:]*: /, '');
  return [
    html`<span class="badge ${toTone(status)}">${status ?? 'none'}</span>`,
    ...[method ?? '', url ?? 'not HTTP', reason, key ?? '', toTime(at)].map((one) => quoted(one)),
  ];
}

/** The reader's time of day, to the millisecond. */
function toTime(instant: string): string {
  const date = new Date(instant);
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  return `${date.toLocaleTimeString('en-GB')}.${milliseconds}`;
}

type FiltersProps = {
  filter: RequestFilter;
  seen: ReturnType<RequestLog['seen']>;
  onFilter: (filter: RequestFilter) => void;
  onCleared: () => void;
};

/** The fields that say which requests are shown; they offer what was seen so far. */
function RequestFilters({ filter, seen, onFilter, onCleared }: FiltersProps): JSX.Element {
  const id = useId();
  // Narrow pages have no room for all fields.
  const [isUnfolded, setUnfolded] = useState(false);
  const chosen = [filter.operation, filter.status, filter.key].filter((value) => value !== '');
  const isFiltered = chosen.length > 0 || filter.text !== '';
  const field = fieldsOf({
    draft: filter,
    onChange: (changed) => onFilter({ ...filter, ...changed }),
  });
  const choice = (name: keyof RequestFilter, label: string, options: string[], rest = 'None') =>
    field.select(name, label, [['', 'All'], ...options, [none, rest]]);
  const statuses = ['2xx', '3xx', '4xx', '5xx', ...seen.statuses];
  const unfolded = isUnfolded && 'is-unfolded';
  return html`
    <div class="live-filters ${unfolded}" role="search" aria-label="Requests">
      ${field.text('text', 'Text in method, URL or reason', { kind: 'search' })}
      <button
        type="button"
        class="unfold"
        aria-expanded=${isUnfolded}
        aria-controls=${id}
        onClick=${() => setUnfolded(!isUnfolded)}
      >
        ${chosen.length === 0 ? 'Filters' : `Filters (${chosen.length})`}
      </button>
      <div class="folds" id=${id}>
        ${choice('operation', 'Operation', seen.operations)}
        ${choice('status', 'Status', statuses, 'No response')}
        ${choice('key', 'Key', seen.keys)}
        ${h(ActionButton, {
          label: 'Delete all requests',
          dangerous: 'Delete all requests of this sandbox from the journal?',
          operation: { method: 'DELETE', path: 'requests' },
          onDone: onCleared,
        })}
      </div>
      ${
        isFiltered &&
        html`<button type="button" onClick=${() => onFilter(noFilter)}>Show all requests</button>`
      }
    </div>
  `;
}

/** How many requests there were, and where those are that the list does not show. */
function countsLine(
  { total, earlier, missed, dropped, waiting, note }: RequestCounts,
  { shown, isPaused }: { shown: number; isPaused: boolean },
): JSX.Element {
  const many = (count: number) => count.toLocaleString('en');
  const parts = [
    earlier > 0 && `${many(earlier)} came before those that the journal still has.`,
    missed > 0 && `${many(missed)} came faster than the journal could hold them for this page.`,
    dropped > 0 &&
      `This page holds the latest ${many(maxHeld)}; it dropped ${many(dropped)} older ones.`,
    note === 'cleared' && 'The journal was cleared.',
    note === 'restarted' && 'The twin was started again.',
  ].filter((part) => part !== false);
  const pause = isPaused && `, ${many(waiting)} since the pause`;
  return html`
    <p class="counts">
      <strong>${many(total)}</strong> request${total === 1 ? '' : 's'}, ${many(shown)} shown${pause}.
      ${` ${parts.join(' ')}`}
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
    const id = readExample();
    if (id === undefined) return;
    const root = new URL('../', document.baseURI).href.replaceAll("'", '%27');
    const read = async () => {
      const response = await fetch(`${root}__pages/operation.json?id=${encodeURIComponent(id)}`);
      if (!response.ok) return;
      const view = (await response.json()) as OperationView;
      const [curl] = toSamples(view, root.slice(0, -1) + view.basePath);
      setLine(curl?.parts.join(''));
    };
    // The page says itself that the twin is gone.
    void read().catch(() => undefined);
  }, []);
  return line;
}
