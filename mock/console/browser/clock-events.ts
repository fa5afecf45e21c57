import { h, type JSX } from 'preact';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { LimitsView } from '../../limits/limits-view.ts';
import { Shown } from '../../page-parts/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { freezeAt } from './clock-operations.ts';
import { toCountdown, toIsoText, toUtcText } from './spans.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { usePages } from './use-pages.ts';

const removal = 'Removal of ';

/** Something that happens at an instant of the clock, in Unix milliseconds. */
type ClockEvent = { what: string; instant: number };

/** What goes by the clock: resets, bans and removals, each with the way to just before it. */
export function ClockEvents({ now }: { now: number }): JSX.Element {
  const limits = useLast(useAdmin<LimitsView>('limits', { every: 1000 }).value);
  const api = useLast(useAdmin<ApiOperationsView>('operations', { every: 5000 }).value);
  const { shown, pager } = usePages(toEvents(limits, api), { about: 'events', size: 20 });
  return h(
    'section',
    { class: 'clock-events', 'aria-labelledby': 'clock-events' },
    h('h3', { id: 'clock-events' }, 'What goes by this clock'),
    h(
      'table',
      { class: 'stacks' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ...['Event', 'When', 'From now', 'Freeze'].map((title) =>
            h('th', { key: title, scope: 'col' }, title),
          ),
        ),
      ),
      h('tbody', null, ...shown.map((event) => h(Row, { key: event.what, ...event, now }))),
    ),
    pager,
  );
}

function Row({ what, instant, now }: ClockEvent & { now: number }): JSX.Element {
  const about = `the ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  return h(
    'tr',
    null,
    h('th', { scope: 'row' }, h(Shown, { text: what })),
    cell('When', toUtcText(instant)),
    cell(
      'From now',
      what.startsWith(removal) && now >= instant
        ? h('span', { class: 'badge is-drift' }, `Removed ${toCountdown(instant, now)}`)
        : toCountdown(instant, now),
    ),
    cell(
      'Freeze',
      h(
        'div',
        { class: 'row' },
        h(ActionButton, {
          label: 'Just before',
          about,
          operation: freezeAt(toIsoText(instant - 1000)),
        }),
        h(ActionButton, { label: 'At', about, operation: freezeAt(toIsoText(instant)) }),
      ),
    ),
  );
}

function cell(label: string, content: JSX.Element | string): JSX.Element {
  return h(
    'td',
    null,
    h('span', { class: 'cell-label', 'aria-hidden': true }, label),
    h('div', null, content),
  );
}

function toEvents(limits?: LimitsView, api?: ApiOperationsView): ClockEvent[] {
  const [first] = limits?.keys ?? [];
  const windows = first
    ? [
        { what: 'Reset of the minute', instant: first.minute.reset * 1000 },
        { what: 'Reset of the day', instant: first.day.reset * 1000 },
      ]
    : [];
  const bans = (limits?.keys ?? []).flatMap(({ name, ban }) =>
    ban ? [{ what: `End of the ban of ${name}`, instant: ban.until * 1000 }] : [],
  );
  const removals = (api?.operations ?? []).flatMap(({ id, sunset }) =>
    sunset === null ? [] : [{ what: `${removal}${id}`, instant: Date.parse(sunset) }],
  );
  return [...windows, ...removals, ...bans];
}
