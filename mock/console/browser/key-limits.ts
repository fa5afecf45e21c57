import { type ComponentChildren, h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Count } from '../../limits/limiter.ts';
import type { KeyView } from '../../limits/limits-view.ts';
import type { BanPolicy, PlanTable } from '../../limits/plans.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { SelectField, TextField } from './fields.ts';
import { toNumberOrText } from './number-text.ts';
import { toCountdown, toUtcText } from './spans.ts';

type Props = {
  view: KeyView;
  plans: PlanTable;
  ban: BanPolicy | false;
  /** What the clock of the sandbox shows, in Unix milliseconds. */
  now: number;
};

/** Where a key stands, and the buttons that change it. */
export function KeyLimits({ view, plans, ban, now }: Props): JSX.Element {
  const { name, plan, minute, day } = view;
  const about = `of ${name}`;
  const change = (body: object): Operation => ({
    method: 'POST',
    path: `limits/${encodeURIComponent(name)}`,
    body,
  });
  return h(
    'li',
    { class: 'card key' },
    h(
      'div',
      { class: 'key-name' },
      h('h3', null, h(Shown, { text: name })),
      h('p', { class: 'sub' }, 'Plan ', h(Shown, { text: plan })),
      h('p', { class: 'badges' }, ...toBadges(view, ban, now)),
    ),
    h(
      Window,
      { title: 'Minute', count: minute, now },
      h(ActionButton, {
        label: 'Exhaust the minute',
        about,
        operation: change({ exhaust: 'minute' }),
      }),
    ),
    h(
      Window,
      { title: 'Day', count: day, now },
      h(ActionButton, { label: 'Exhaust the day', about, operation: change({ exhaust: 'day' }) }),
    ),
    h(
      'div',
      { class: 'key-lift' },
      h(ActionButton, {
        label: 'Lift',
        about: `the limits ${about}`,
        operation: change({ lift: true }),
      }),
    ),
    h(More, { view, plans, ban, change }),
  );
}

function toBadges({ strikes, ban }: KeyView, policy: BanPolicy | false, now: number) {
  return [
    ban &&
      h(
        'span',
        { class: 'badge is-drift', title: toUtcText(ban.until * 1000) },
        `Banned, free ${toCountdown(ban.until * 1000, now)}`,
      ),
    strikes > 0 &&
      policy !== false &&
      h('span', { class: 'badge is-standard' }, `${strikes} of ${policy.strikes} strikes`),
  ];
}

type WindowProps = { title: string; count: Count; now: number; children?: ComponentChildren };

/** A window of a key: what is used and left of it, and when it ends. */
function Window({ title, count, now, children }: WindowProps): JSX.Element {
  const { limit, used, remaining, reset } = count;
  const tone = remaining === 0 ? 'is-drift' : remaining * 5 <= limit ? 'is-standard' : 'is-kept';
  return h(
    'div',
    { class: `window ${tone}` },
    h(
      'p',
      { class: 'window-left' },
      h('b', null, title),
      h('span', { class: remaining === 0 ? 'spent' : '' }, `${number(remaining)} left`),
    ),
    h(
      'svg',
      { class: 'bar', 'aria-hidden': true, viewBox: '0 0 100 8', preserveAspectRatio: 'none' },
      h('rect', { width: Math.min(100, (used / limit) * 100), height: 8 }),
    ),
    h(
      'p',
      { class: 'sub' },
      `${number(used)} of ${number(limit)} used, resets ${toCountdown(reset * 1000, now)}`,
    ),
    children,
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}

type MoreProps = Pick<Props, 'view' | 'plans' | 'ban'> & { change: (body: object) => Operation };

/** What is changed less often. */
function More({ view: { name, plan }, plans, ban, change }: MoreProps): JSX.Element {
  const [seconds, setSeconds] = useState(String(ban ? ban.seconds : 300));
  const [choice, setChoice] = useState({ insteadOf: plan, plan });
  const [isOpen, setOpen] = useState(false);
  const about = `of ${name}`;
  // A plan that was set elsewhere replaces what was chosen before.
  const chosen = choice.insteadOf === plan ? choice.plan : plan;
  const options = Object.entries(plans).map(
    ([plan, { perMinute, perDay }]) =>
      [plan, `${plan}: ${number(perMinute)} a minute, ${number(perDay)} a day`] as const,
  );
  const known = Object.hasOwn(plans, chosen) ? options : [[chosen, chosen] as const, ...options];
  return h(
    'details',
    {
      class: 'more',
      onToggle: ({ currentTarget }: Event) => setOpen((currentTarget as HTMLDetailsElement).open),
    },
    h(
      'summary',
      null,
      'Ban or change the plan',
      h('span', { class: 'heard' }, ' ', h(Shown, { text: about })),
    ),
    isOpen &&
      h(
        'div',
        { class: 'row' },
        h(
          'div',
          { class: 'row setting' },
          h(TextField, {
            label: 'Seconds',
            about: `of the ban ${about}`,
            kind: 'number',
            value: seconds,
            onValue: setSeconds,
          }),
          h(ActionButton, {
            label: 'Ban',
            about: name,
            operation: change({ ban: toNumberOrText(seconds) }),
          }),
        ),
        h(
          'div',
          { class: 'row setting' },
          h(SelectField, {
            label: 'Plan',
            about,
            options: known,
            value: chosen,
            onValue: (next) => setChoice({ insteadOf: plan, plan: next }),
          }),
          h(ActionButton, { label: 'Set the plan', about, operation: change({ plan: chosen }) }),
        ),
      ),
  );
}
