import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Count } from '../../../limits/limiter.ts';
import type { BanPolicy, PlanTable } from '../../../limits/plans.ts';
import type { KeyView, LimitsView } from '../../admin/limit-handlers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { SelectField, TextField } from '../../pages/browser/fields.ts';
import { bar, quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { panelList, problemLine, usePages, useRemembered } from './panel.ts';
import { useAdmin, useTwinClock } from './use-admin.ts';
import { countOf, toCountdown, toNumberOrText, toUtcText } from './words.ts';

const selections: Readonly<Record<string, (key: KeyView) => boolean>> = {
  'All keys': () => true,
  'Keys in use': ({ minute, day, strikes, ban }) =>
    minute.used > 0 || day.used > 0 || strikes > 0 || ban !== null,
  'Exhausted or banned': ({ minute, day, ban }) =>
    minute.remaining === 0 || day.remaining === 0 || ban !== null,
};

/** The limits of each key, and what changes them. */
export function LimitsPanel(): JSX.Element {
  const { value: limits, problem } = useAdmin<LimitsView>('limits', { every: 1000 });
  const clock = useTwinClock();
  const [text, setText] = useRemembered('name of keys', '');
  const [selection, setSelection] = useRemembered('choice of keys', 'All keys');
  const keys = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return (limits?.keys ?? []).filter(
      (key) => key.name.toLowerCase().includes(wanted) && selections[selection]?.(key),
    );
  }, [limits, text, selection]);
  const { shown, pager } = usePages(keys, { about: 'keys' });
  const now = clock.now;

  const views =
    limits && now !== undefined
      ? shown.map((view) => keyCard({ view, plans: limits.plans, ban: limits.ban, now }))
      : undefined;
  const name = { label: 'Name contains', kind: 'search' as const };
  const options = Object.keys(selections);
  return html`
    <div class="stack">
      ${problemLine(problem ?? clock.problem)}
      ${limits && html`<p class="quiet">${describeRules(limits)} ${whatLiftDoes}</p>`}
      <div class="row filters" role="search" aria-label="Filter the keys">
        ${h(TextField, { ...name, value: text, onValue: setText })}
        ${h(SelectField, { label: 'Show', options, value: selection, onValue: setSelection })}
        <p role="status" class="count">
          ${limits && `${number(keys.length)} of ${countOf(limits.keys.length, 'key')}`}
        </p>
      </div>
      ${panelList(views, { label: 'Keys', none: 'No key matches.' })}
      ${pager}
    </div>
  `;
}

const whatLiftDoes = 'Lift ends a ban and clears the strikes and both counters of a key.';

function describeRules({ mode, ban }: LimitsView): string {
  if (mode === 'off') return 'Limits are off: nothing is counted or refused.';
  if (mode === 'observe') return 'Limits are only observed: calls are counted, none is refused.';
  if (ban === false) return 'Limits are enforced. Keys are never banned.';
  const { strikes, withinSeconds, seconds, maxSeconds } = ban;
  return [
    `Limits are enforced. A key is banned after ${number(strikes)} strikes, which are refused calls,`,
    `within ${withinSeconds} s: for ${seconds} s, and twice as long each further time,`,
    `up to ${maxSeconds} s.`,
  ].join(' ');
}

type KeyProps = {
  view: KeyView;
  plans: PlanTable;
  ban: BanPolicy | false;
  /** What the clock of the sandbox shows, in Unix milliseconds. */
  now: number;
};

/** Where a key stands, and the buttons that change it. */
function keyCard({ view, plans, ban, now }: KeyProps): JSX.Element {
  const { name, plan, minute, day } = view;
  const about = `of ${name}`;
  const path = `limits/${encodeURIComponent(name)}`;
  const change = (body: object): Operation => ({ method: 'POST', path, body });
  const exhaust = (period: 'minute' | 'day') =>
    h(ActionButton, {
      label: `Exhaust the ${period}`,
      about,
      operation: change({ exhaust: period }),
    });
  const lift = change({ lift: true });
  return html`
    <li key=${name} class="card key">
      <div class="key-name">
        <h3>${quoted(name)}</h3>
        <p class="sub">Plan ${quoted(plan)}</p>
        <p class="badges">${toBadges(view, ban, now)}</p>
      </div>
      ${keyWindow({ title: 'Minute', count: minute, now, button: exhaust('minute') })}
      ${keyWindow({ title: 'Day', count: day, now, button: exhaust('day') })}
      <div class="key-lift">
        ${h(ActionButton, { label: 'Lift', about: `the limits ${about}`, operation: lift })}
      </div>
      ${h(More, { view, plans, ban, change })}
    </li>
  `;
}

function toBadges({ strikes, ban }: KeyView, policy: BanPolicy | false, now: number) {
  return [
    ban &&
      html`
        <span class="badge is-drift" title=${toUtcText(ban.until * 1000)}>
          Banned, free ${toCountdown(ban.until * 1000, now)}
        </span>
      `,
    strikes > 0 &&
      policy !== false &&
      html`<span class="badge is-standard">${strikes} of ${policy.strikes} strikes</span>`,
  ];
}

type Window = { title: string; count: Count; now: number; button: JSX.Element };

/** A window of a key: what is used and left of it, and when it ends. */
function keyWindow({ title, count, now, button }: Window): JSX.Element {
  const { limit, used, remaining, reset } = count;
  const tone = remaining === 0 ? 'is-drift' : remaining * 5 <= limit ? 'is-standard' : 'is-kept';
  return html`
    <div class="window ${tone}">
      <p class="window-left">
        <b>${title}</b>
        <span class=${remaining === 0 ? 'spent' : ''}>${number(remaining)} left</span>
      </p>
      ${bar(Math.min(100, (used / limit) * 100))}
      <p class="sub">
        ${number(used)} of ${number(limit)} used, resets ${toCountdown(reset * 1000, now)}
      </p>
      ${button}
    </div>
  `;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

type MoreProps = Pick<KeyProps, 'view' | 'plans' | 'ban'> & { change: (body: object) => Operation };

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
  const toggle = ({ currentTarget }: Event) => setOpen((currentTarget as HTMLDetailsElement).open);
  const banFields = html`
    <div class="row setting">
      ${h(TextField, {
        label: 'Seconds',
        about: `of the ban ${about}`,
        kind: 'number',
        value: seconds,
        onValue: setSeconds,
      })}
      ${h(ActionButton, {
        label: 'Ban',
        about: name,
        operation: change({ ban: toNumberOrText(seconds) }),
      })}
    </div>
  `;
  const planFields = html`
    <div class="row setting">
      ${h(SelectField, {
        label: 'Plan',
        about,
        options: known,
        value: chosen,
        onValue: (next) => setChoice({ insteadOf: plan, plan: next }),
      })}
      ${h(ActionButton, { label: 'Set the plan', about, operation: change({ plan: chosen }) })}
    </div>
  `;
  return html`
    <details class="more" onToggle=${toggle}>
      <summary>Ban or change the plan<span class="heard"> ${quoted(about)}</span></summary>
      ${isOpen && html`<div class="row">${banFields}${planFields}</div>`}
    </details>
  `;
}
