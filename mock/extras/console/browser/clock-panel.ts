import { html } from 'htm/preact';
import type { JSX } from 'preact';
import {
  toCountdown,
  toIsoText,
  toNumberOrText,
  toSpan,
  toUtcText,
} from '../../../../common/look/amounts.ts';
import { windows } from '../../../limits/windows.ts';
import type { ClockView } from '../../admin/clock-handlers.ts';
import type { LimitsView } from '../../admin/limit-handlers.ts';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { button, draftOf, pagesOf } from './panel.ts';
import type { PanelState } from './state.ts';

/** The clock of the sandbox, what moves it, and what goes by it. */
export function clockPanel(state: PanelState): JSX.Element {
  const clock = state.read<ClockView>('clock');
  if (!clock) return html``;
  const now = clock.currentEpochMillis;
  return html`${face(clock)} ${moves(state, now)} ${clockEvents(state, now)}`;
}

function face({ currentEpochMillis: now, frozen }: ClockView): JSX.Element {
  const ahead = now - Date.now();
  const distance = `${toSpan(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'}`;
  return html`
    <section class="card stack tight" aria-labelledby="clock-now">
      <h3 id="clock-now" class="heard">Current time</h3>
      <p class="clock-time"><time datetime=${toIsoText(now)}>${toUtcText(now)}</time></p>
      <p class="badges">
        <span class="badge ${frozen ? 'is-difference' : 'is-kept'}">${frozen ? 'Frozen' : 'Running'}</span>
        ${
          Math.abs(ahead) > 5000 &&
          html`<span class="badge is-standard">${distance} the clock of this browser</span>`
        }
      </p>
      <div class="row">
        ${button({ label: 'Freeze now', operation: setClock({ action: 'freeze' }) })}
        ${button({ label: 'Follow the system clock', operation: setClock({ action: 'reset' }) })}
      </div>
    </section>
  `;
}

const units: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

function moves(state: PanelState, now: number): JSX.Element {
  // Pickers know no zones; the time is in UTC.
  const [picked, setPicked] = state.keep('instant', new Date(now).toISOString().slice(0, 19));
  const { draft, field } = draftOf(state, 'advance', { amount: '10', unit: 'minutes' });
  const { amount, unit } = draft;
  const given = toNumberOrText(amount);
  const instant = `${picked.length === 16 ? `${picked}:00` : picked}Z`;
  const durationMillis =
    typeof given === 'number' ? Math.round(given * (units[unit] as number)) : given;
  const pick = ({ currentTarget }: Event) => setPicked((currentTarget as HTMLInputElement).value);
  return html`
    <div class="cards">
      <section class="card stack" aria-labelledby="clock-freeze">
        <h3 id="clock-freeze">Freeze</h3>
        <div class="row">
          <div class="field">
            <label for="clock-instant">Date and time in UTC</label>
            <input id="clock-instant" type="datetime-local" step="1" value=${picked} onInput=${pick} />
          </div>
          ${button({ label: 'Freeze at', about: instant, operation: freezeAt(instant) })}
        </div>
      </section>
      <section class="card stack" aria-labelledby="clock-advance">
        <h3 id="clock-advance">Advance</h3>
        <div class="row">
          ${field.number('amount', 'Amount')} ${field.select('unit', 'Unit', Object.keys(units))}
          ${button({
            label: 'Advance',
            about: `by ${amount} ${unit}`,
            operation: setClock({ action: 'advance', durationMillis }),
          })}
        </div>
      </section>
    </div>
  `;
}

/** Something that happens at an instant of the clock, in Unix milliseconds. */
type ClockEvent = { what: string; instant: number };

/**
 * The events that depend on the clock: resets, bans and removals. Each has a button to move to just
 * before it.
 */
function clockEvents(state: PanelState, now: number): JSX.Element {
  const events = toEvents(
    state.read<LimitsView>('limits'),
    state.read<ApiOperationsView>('operations', 5000),
  );
  const { shown, pager } = pagesOf(state, events, { about: 'events' });
  const titles = ['Event', 'When', 'From now', 'Freeze'];
  return html`
    <section aria-labelledby="clock-events">
      <h3 id="clock-events">Events of this clock</h3>
      <table class="stacks">
        <thead>
          <tr>${titles.map((title) => html`<th key=${title} scope="col">${title}</th>`)}</tr>
        </thead>
        <tbody>${shown.map((event) => eventRow(event, now))}</tbody>
      </table>
      ${pager}
    </section>
  `;
}

function eventRow({ what, instant }: ClockEvent, now: number): JSX.Element {
  const about = `the ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  const cell = (label: string, content: JSX.Element | string) => html`
    <td><span class="cell-label" aria-hidden="true">${label}</span><div>${content}</div></td>
  `;
  const freeze = (label: string, at: number) =>
    button({ label, about, operation: freezeAt(toIsoText(at)) });
  return html`
    <tr key=${what}>
      <th scope="row">${quoted(what)}</th>
      ${cell('When', toUtcText(instant))}
      ${cell('From now', toCountdown(instant, now))}
      ${cell(
        'Freeze',
        html`<div class="row">${freeze('Just before', instant - 1000)} ${freeze('At', instant)}</div>`,
      )}
    </tr>
  `;
}

function toEvents(limits?: LimitsView, api?: ApiOperationsView): ClockEvent[] {
  const [first] = limits?.keys ?? [];
  const resets = windows.flatMap(({ per }) =>
    first ? [{ what: `Reset of the ${per}`, instant: first[per].reset * 1000 }] : [],
  );
  const bans = (limits?.keys ?? []).flatMap(({ name, ban }) =>
    ban ? [{ what: `End of the ban of ${name}`, instant: ban.until * 1000 }] : [],
  );
  const removals = (api?.operations ?? []).flatMap(({ id, sunset }) =>
    sunset === null ? [] : [{ what: `Removal of ${id}`, instant: Date.parse(sunset) }],
  );
  return [...resets, ...removals, ...bans];
}

/** Moves the clock of the sandbox. */
function setClock(change: {
  action: 'freeze' | 'advance' | 'reset';
  instant?: string;
  durationMillis?: unknown;
}): Operation {
  return { method: 'PUT', path: 'clock', body: change };
}

/** Stops the clock of the sandbox at an instant, in ISO 8601. */
export function freezeAt(instant: string): Operation {
  return setClock({ action: 'freeze', instant });
}
