import { html } from 'htm/preact';
import { type ComponentChildren, h, type JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { quoted, shellLine } from '../../pages/browser/parts.ts';
import type { OperationView } from '../../pages/operation-view.ts';
import { toSamples } from '../../pages/samples.ts';
import { ActionButton } from './action-button.ts';
import { SelectField, TextField } from './fields.ts';
import { readExample } from './page.ts';
import { useRemembered } from './panel.ts';
import { RequestDetail } from './request-detail.ts';
import { type FeedState, openFeed } from './request-feed.ts';
import { RequestList } from './request-list.ts';
import {
  createRequestLog,
  maxHeld,
  noFilter,
  none,
  type RequestCounts,
  type RequestFilter,
  type RequestLog,
} from './request-log.ts';
import { useAdminClient } from './use-admin.ts';

/** The requests to the sandbox as they come. */
export function RequestsPanel(): JSX.Element {
  const admin = useAdminClient();
  const [filter, setFilter] = useRemembered('requests filter', noFilter);
  const log = useMemo(() => {
    const made = createRequestLog();
    made.setFilter(filter);
    return made;
  }, []);
  const [feed, setFeed] = useState<FeedState>({ state: 'connecting' });
  const [open, setOpen] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const draw = useFrames();

  useEffect(
    () =>
      openFeed(
        admin,
        {
          onRequests: (requests) => {
            log.add(requests);
            draw();
          },
          onState: setFeed,
          onRestart: () => {
            log.clear('restarted');
            draw();
          },
        },
        {
          isHidden: () => document.hidden,
          onHiddenChange: (listener) => {
            document.addEventListener('visibilitychange', listener);
            return () => document.removeEventListener('visibilitychange', listener);
          },
          maxPause: 5000,
        },
      ),
    [admin, log, draw],
  );
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    if (wasOpen.current && open === undefined) row?.focus();
    wasOpen.current = open !== undefined;
  }, [open]);
  // The same element is not drawn again, however many requests come meanwhile.
  const detail = useMemo(() => {
    const onClose = () => setOpen(undefined);
    return open === undefined
      ? undefined
      : h(RequestDetail, { key: open, id: open, onClose, onOpen: setOpen });
  }, [open]);
  const isPaused = log.isPaused();
  const changeFilter = (next: RequestFilter) => {
    setFilter(next);
    log.setFilter(next);
    draw();
  };
  const empty = h(Empty, { isFiltered: log.counts().held > 0, feed });

  return html`
    <div class=${open === undefined ? 'live' : 'live has-detail'}>
      ${h(
        RequestFilters,
        {
          filter: log.filter(),
          seen: log.seen(),
          onFilter: changeFilter,
        },
        html`
          ${h(ActionButton, {
            label: 'Delete all requests',
            dangerous: 'Delete all requests of this sandbox from the journal?',
            operation: { method: 'DELETE', path: 'requests' },
            onDone: () => {
              log.clear('cleared');
              setOpen(undefined);
              draw();
            },
          })}
        `,
      )}
      <div class="live-state">
        ${h(Counts, { counts: log.counts(), shown: log.length(), isPaused })}
        ${h(Connection, { feed })}
        <button
          type="button"
          aria-pressed=${isPaused}
          onClick=${() => {
            log.setPaused(!isPaused);
            draw();
          }}
        >
          Pause
        </button>
      </div>
      <div class="live-parts">
        <div class="live-list" ref=${list}>
          ${h(RequestList, { log, open, empty, onOpen: setOpen })}
        </div>
        ${detail}
      </div>
    </div>
  `;
}

/** What stands in the place of the list. */
function Empty({ isFiltered, feed }: { isFiltered: boolean; feed: FeedState }): JSX.Element {
  if (!isFiltered && feed.state === 'live') return h(FirstRequest, {});
  const text = isFiltered ? 'No request fits the filters.' : 'No request is shown.';
  return html`<p class="none">${text}</p>`;
}

type CountsProps = { counts: RequestCounts; shown: number; isPaused: boolean };

/** How many requests there were, and where those are that the list does not show. */
function Counts({ counts, shown, isPaused }: CountsProps): JSX.Element {
  const { total, earlier, missed, dropped, waiting, note } = counts;
  const many = (count: number) => count.toLocaleString('en');
  const parts = [
    earlier > 0 && `${many(earlier)} came before those that the journal still has.`,
    missed > 0 && `${many(missed)} came faster than the journal could hold them for this page.`,
    dropped > 0 &&
      `This page holds the latest ${many(maxHeld)}; it dropped ${many(dropped)} older ones.`,
    note === 'cleared' && 'The journal was cleared.',
    note === 'restarted' && 'The twin was started again.',
  ].filter((part) => part !== false);
  return html`
    <p class="counts">
      <strong>${many(total)}</strong>
      ${total === 1 ? ' request' : ' requests'}
      , ${many(shown)} shown
      ${isPaused && `, ${many(waiting)} since the pause`}
      . ${parts.join(' ')}
    </p>
  `;
}

/** Says once when the connection is lost, and when it is back. */
function Connection({ feed }: { feed: FeedState }): JSX.Element {
  const text =
    feed.state === 'lost'
      ? `${feed.problem} Trying again ...`
      : feed.state === 'live'
        ? 'Live'
        : 'Connecting ...';
  return html`
    <p
      role="status"
      class=${feed.state === 'lost' ? 'connection is-drift' : 'connection is-kept'}
    >
      ${quoted(text)}
    </p>
  `;
}

/** What to do where no request came yet: a line that sends one. */
function FirstRequest(): JSX.Element {
  const line = useExampleLine();
  return html`
    <div class="none first-request">
      <p>
        ${line === undefined ? 'There is no request yet.' : 'There is no request yet. Send one:'}
      </p>
      ${
        line !== undefined &&
        html`
          <div class="row">
            ${shellLine(line)}
          </div>
        `
      }
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

type FilterProps = {
  filter: RequestFilter;
  seen: ReturnType<RequestLog['seen']>;
  onFilter: (filter: RequestFilter) => void;
  /** What stands beside the fields, and is folded with them. */
  children?: ComponentChildren;
};

/** The fields that say which requests are shown; they offer what was seen so far. */
export function RequestFilters({ filter, seen, onFilter, children }: FilterProps): JSX.Element {
  const field = (name: keyof RequestFilter) => ({
    value: filter[name],
    onValue: (value: string) => onFilter({ ...filter, [name]: value }),
  });
  const id = useId();
  // Narrow pages have no room for all fields.
  const [isUnfolded, setUnfolded] = useState(false);
  const chosen = [filter.operation, filter.status, filter.key].filter((value) => value !== '');
  const isFiltered = chosen.length > 0 || filter.text !== '';
  return html`
    <div
      class=${isUnfolded ? 'live-filters is-unfolded' : 'live-filters'}
      role="search"
      aria-label="Requests"
    >
      ${h(TextField, { label: 'Text in method, URL or reason', kind: 'search', ...field('text') })}
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
        ${h(SelectField, {
          label: 'Operation',
          options: [['', 'All'], ...seen.operations, [none, 'None']],
          ...field('operation'),
        })}
        ${h(SelectField, {
          label: 'Status',
          options: [
            ['', 'All'],
            '2xx',
            '3xx',
            '4xx',
            '5xx',
            ...seen.statuses,
            [none, 'No response'],
          ],
          ...field('status'),
        })}
        ${h(SelectField, {
          label: 'Key',
          options: [['', 'All'], ...seen.keys, [none, 'None']],
          ...field('key'),
        })}
        ${children}
      </div>
      ${
        isFiltered &&
        html`
          <button type="button" onClick=${() => onFilter(noFilter)}>Show all requests</button>
        `
      }
    </div>
  `;
}

/** Gives a function that draws the component again, at most once a frame. */
export function useFrames(): () => void {
  const [, draw] = useState(0);
  const frame = useRef<number>(undefined);
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    },
    [],
  );
  const ask = useRef(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      draw((count) => count + 1);
    });
  });
  return ask.current;
}
