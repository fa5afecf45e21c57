import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Count } from '../../../limits/limiter.ts';
import type { BanPolicy } from '../../../limits/plans.ts';
import { describeFigures, type Period, windows } from '../../../limits/windows.ts';
import type { ClockView } from '../../admin/clock-handlers.ts';
import type { KeyView, LimitsView } from '../../admin/limit-handlers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { SelectField, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { number, toCountdown, toNumberOrText, toUtcText } from '../../pages/browser/words.ts';
import { ActionButton } from './action-button.ts';
import { panelList, problemLine, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

/** The limits of each key, and what changes them. */
export function LimitsPanel(): JSX.Element {
  const { value: limits, problem } = useAdmin<LimitsView>('limits', { every: 1000 });
  const clock = useAdmin<ClockView>('clock', { every: 1000 });
  const { shown, pager } = usePages(limits?.keys ?? [], { about: 'keys' });
  const now = clock.value?.currentEpochMillis;
  const views =
    limits && now !== undefined ? shown.map((view) => keyCard(view, limits, now)) : undefined;
  return html`
    <div class="stack">
      ${problemLine(problem ?? clock.problem)}
      ${limits && html`<p class="quiet">${describeRules(limits)} ${whatLiftDoes}</p>`}
      ${panelList(views, { label: 'Keys', none: 'There is no key.' })}
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

/** Shows the usage of a key at a time in Unix milliseconds, and the buttons that change it. */
function keyCard(view: KeyView, limits: LimitsView, now: number): JSX.Element {
  const { name, plan } = view;
  const about = `of ${name}`;
  const path = `limits/${encodeURIComponent(name)}`;
  const change = (body: object): Operation => ({ method: 'POST', path, body });
  const exhaust = (period: Period) =>
    h(ActionButton, {
      label: `Exhaust the ${period}`,
      about,
      operation: change({ exhaust: period }),
    });
  const lift = change({ lift: true });
  return html`
    <li key=${name} class="card columns">
      <div>
        <h3>${quoted(name)}</h3>
        <p class="sub">Plan ${quoted(plan)}</p>
        <p class="badges">${toBadges(view, limits.ban, now)}</p>
        ${h(ActionButton, { label: 'Lift', about: `the limits ${about}`, operation: lift })}
      </div>
      ${windows.map(({ per }) => keyWindow({ per, count: view[per], now, button: exhaust(per) }))}
      <details class="wide">
        <summary>Ban or change the plan<span class="heard"> ${quoted(about)}</span></summary>
        ${h(BanAndPlan, { view, limits, change })}
      </details>
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

type Window = { per: Period; count: Count; now: number; button: JSX.Element };

/** A window of a key: what is used and left of it, and when it ends. */
function keyWindow({ per, count, now, button }: Window): JSX.Element {
  const { limit, used, remaining, reset } = count;
  return html`
    <div class="stack tight">
      <p class="ends"><b>${per.replace(/^./, (first) => first.toUpperCase())}</b> <span>${number(remaining)} left</span></p>
      <meter
        aria-label="Left of the ${per}"
        value=${remaining}
        max=${limit}
        low=${limit / 5}
        high=${limit / 5}
        optimum=${limit}
      ></meter>
      <p class="sub">
        ${number(used)} of ${number(limit)} used, resets ${toCountdown(reset * 1000, now)}
      </p>
      ${button}
    </div>
  `;
}

type ChangeProps = { view: KeyView; limits: LimitsView; change: (body: object) => Operation };

/** The controls that are used less often: the ban and the plan. */
function BanAndPlan({ view: { name, plan }, limits, change }: ChangeProps): JSX.Element {
  const { ban, plans } = limits;
  const [seconds, setSeconds] = useState(String(ban ? ban.seconds : 300));
  const [chosen, setChosen] = useState(plan);
  const about = `of ${name}`;
  const options = Object.entries(plans).map(
    ([one, figures]) => [one, `${one}: ${describeFigures(figures)}`] as const,
  );
  return html`
    <div class="row">
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
      ${h(SelectField, { label: 'Plan', about, options, value: chosen, onValue: setChosen })}
      ${h(ActionButton, { label: 'Set the plan', about, operation: change({ plan: chosen }) })}
    </div>
  `;
}
