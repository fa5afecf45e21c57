import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { number, toCountdown, toNumberOrText, toUtcText } from '../../../../common/look/amounts.ts';
import type { Count } from '../../../limits/limiter.ts';
import type { BanPolicy } from '../../../limits/plans.ts';
import { describeFigures, type Period, windows } from '../../../limits/windows.ts';
import type { ClockView } from '../../admin/clock-handlers.ts';
import type { KeyView, LimitsView } from '../../admin/limit-handlers.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { button, draftOf, panelList } from './panel.ts';
import type { PanelState } from './state.ts';

/** The limits of each key, and what changes them. */
export function limitsPanel(state: PanelState): JSX.Element {
  const limits = state.read<LimitsView>('limits');
  const now = state.read<ClockView>('clock')?.currentEpochMillis;
  if (!limits || now === undefined) return html``;
  const toCard = (view: KeyView) => keyCard(state, view, { limits, now });
  const lift = 'Lift ends a ban and clears the strikes and both counters of a key.';
  return html`
    <p class="quiet">${describeRules(limits)} ${lift}</p>
    ${panelList(state, { about: 'keys', none: 'There is no key.', items: limits.keys, toCard })}
  `;
}

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
function keyCard(
  state: PanelState,
  view: KeyView,
  { limits, now }: { limits: LimitsView; now: number },
): JSX.Element {
  const { name, plan } = view;
  const path = `limits/${encodeURIComponent(name)}`;
  const change = (label: string, about: string, body: object) =>
    button({ label, about, operation: { method: 'POST', path, body } });
  const { draft, field } = draftOf(state, `change of ${name}`, {
    seconds: String(limits.ban ? limits.ban.seconds : 300),
    plan,
  });
  const plans = Object.entries(limits.plans).map(
    ([one, figures]) => [one, `${one}: ${describeFigures(figures)}`] as const,
  );
  return html`
    <li key=${name} class="card columns">
      <div>
        <h3>${quoted(name)}</h3>
        <p class="sub">Plan ${quoted(plan)}</p>
        <p class="badges">${toBadges(view, limits.ban, now)}</p>
        ${change('Lift', `the limits of ${name}`, { lift: true })}
      </div>
      ${windows.map(
        ({ per }) => html`
          <div class="stack tight">
            ${usage(per, view[per], now)}
            ${change(`Exhaust the ${per}`, `of ${name}`, { exhaust: per })}
          </div>
        `,
      )}
      <details class="wide">
        <summary>Ban or change the plan<span class="heard"> ${quoted(`of ${name}`)}</span></summary>
        <div class="row">
          ${field.number('seconds', 'Seconds', { about: `of the ban of ${name}` })}
          ${change('Ban', name, { ban: toNumberOrText(draft.seconds) })}
          ${field.select('plan', 'Plan', plans, { about: `of ${name}` })}
          ${change('Set the plan', `of ${name}`, { plan: draft.plan })}
        </div>
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

/** Shows how much of a window of a key is used and left, and when it ends. */
function usage(per: Period, { limit, used, remaining, reset }: Count, now: number): JSX.Element {
  return html`
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
  `;
}
