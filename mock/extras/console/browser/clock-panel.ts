import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { parseInstant } from '../../../clock.ts';
import type { LimitsView } from '../../admin/limit-handlers.ts';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { SelectField, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { problemLine, usePages } from './panel.ts';
import { useAdmin, useTwinClock } from './use-admin.ts';
import { toCountdown, toIsoText, toNumberOrText, toSpan, toUtcText } from './words.ts';

const units: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

/** The clock of the sandbox, what moves it, and what goes by it. */
export function ClockPanel(): JSX.Element {
  const { now, frozen, problem } = useTwinClock();
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${now !== undefined && h(Face, { now, frozen })}
      ${now !== undefined && h(Move, { now })}
      ${now !== undefined && h(ClockEvents, { now })}
    </div>
  `;
}

function Face({ now, frozen }: { now: number; frozen: boolean }): JSX.Element {
  const ahead = now - Date.now();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isElsewhere = Math.abs(ahead) > 5000;
  return html`
    <section class="card clock-face" aria-labelledby="clock-now">
      <h3 id="clock-now" class="heard">What it shows</h3>
      <p class="clock-time">
        <time dateTime=${toIsoText(Math.floor(now))}>${toUtcText(now)}</time>
      </p>
      <p class="badges">
        ${
          frozen
            ? html`<span class="badge is-difference">Frozen</span>`
            : html`<span class="badge is-kept">Running</span>`
        }
        ${
          isElsewhere &&
          html`
            <span class="badge is-standard">
              ${toSpan(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of this browser
            </span>
          `
        }
      </p>
      ${zone !== 'UTC' && html`<p class="sub">In your zone, ${zone}: ${toLocalText(now)}</p>`}
      <div class="row">
        ${h(ActionButton, { label: 'Freeze now', operation: setClock({ action: 'freeze' }) })}
        ${h(ActionButton, {
          label: 'Follow the system clock',
          operation: setClock({ action: 'reset' }),
        })}
      </div>
    </section>
  `;
}

function Move({ now }: { now: number }): JSX.Element {
  const [instant, setInstant] = useState(() => toIsoText(Math.ceil(now / 60_000) * 60_000));
  const [amount, setAmount] = useState('10');
  const [unit, setUnit] = useState('minutes');
  const given = toNumberOrText(amount);
  const advance = (durationMillis: unknown) => setClock({ action: 'advance', durationMillis });
  return html`
    <div class="cards">
      <section class="card stack" aria-labelledby="clock-freeze">
        <h3 id="clock-freeze">Freeze</h3>
        ${h(InstantField, { value: instant, onValue: setInstant })}
        ${h(ActionButton, { label: 'Freeze at', about: instant, operation: freezeAt(instant) })}
      </section>
      <section class="card stack" aria-labelledby="clock-advance">
        <h3 id="clock-advance">Advance</h3>
        <div class="row">
          ${h(ActionButton, { label: 'By a minute', operation: advance(60_000) })}
          ${h(ActionButton, { label: 'By an hour', operation: advance(3_600_000) })}
          ${h(ActionButton, { label: 'By a day', operation: advance(86_400_000) })}
        </div>
        <div class="row setting">
          ${h(TextField, { label: 'Amount', kind: 'number', value: amount, onValue: setAmount })}
          ${h(SelectField, {
            label: 'Unit',
            options: Object.keys(units),
            value: unit,
            onValue: setUnit,
          })}
          ${h(ActionButton, {
            label: 'Advance',
            about: `by ${amount} ${unit}`,
            operation: advance(typeof given === 'number' ? toMilliseconds(given, unit) : given),
          })}
        </div>
      </section>
    </div>
  `;
}

/** Doubles make 1004.9999999999999 of 1.005 s. */
function toMilliseconds(amount: number, unit: string): number {
  const milliseconds = amount * (units[unit] ?? 1);
  return unit === 'milliseconds' ? milliseconds : Math.round(milliseconds);
}

function toLocalText(instant: number): string {
  return new Date(instant).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'medium' });
}

type InstantProps = { value: string; onValue: (value: string) => void };

/** An instant, chosen in UTC or written in ISO 8601; the text is what counts. */
function InstantField({ value, onValue }: InstantProps): JSX.Element {
  const id = useId();
  const instant = parseInstant(value);
  const isKnown = !Number.isNaN(instant);
  const picker = useRef<HTMLInputElement>(null);
  const picked = isKnown ? toPicked(instant) : '';
  // Given at each drawing, it would undo a date that is being typed.
  useEffect(() => {
    if (picker.current) picker.current.value = picked;
  }, [picked]);
  return html`
    <div class="stack instant">
      <div class="field">
        <label for=${id}>Date and time in UTC</label>
        <input
          id=${id}
          ref=${picker}
          type="datetime-local"
          step="1"
          onInput=${({ currentTarget }: Event) => {
            const { value: given } = currentTarget as HTMLInputElement;
            if (given !== '') onValue(toIso(given));
          }}
        />
      </div>
      ${h(TextField, {
        label: 'The same as ISO 8601, in UTC unless it names a zone',
        value,
        onValue,
        ...(isKnown && { hint: `= ${toUtcText(instant)}` }),
      })}
    </div>
  `;
}

/** What a picker of dates takes; it knows no zones. */
function toPicked(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

/** Pickers leave seconds out where they are none. */
function toIso(picked: string): string {
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`;
}

const removal = 'Removal of ';

/** Something that happens at an instant of the clock, in Unix milliseconds. */
type ClockEvent = { what: string; instant: number };

/** What goes by the clock: resets, bans and removals, each with the way to just before it. */
function ClockEvents({ now }: { now: number }): JSX.Element {
  const limits = useAdmin<LimitsView>('limits', { every: 1000 }).value;
  const api = useAdmin<ApiOperationsView>('operations', { every: 5000 }).value;
  const { shown, pager } = usePages(toEvents(limits, api), { about: 'events', size: 20 });
  return html`
    <section class="clock-events" aria-labelledby="clock-events">
      <h3 id="clock-events">What goes by this clock</h3>
      <table class="stacks">
        <thead>
          <tr>
            ${['Event', 'When', 'From now', 'Freeze'].map(
              (title) => html`<th key=${title} scope="col">${title}</th>`,
            )}
          </tr>
        </thead>
        <tbody>${shown.map((event) => h(Row, { key: event.what, ...event, now }))}</tbody>
      </table>
      ${pager}
    </section>
  `;
}

function Row({ what, instant, now }: ClockEvent & { now: number }): JSX.Element {
  const about = `the ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  return html`
    <tr>
      <th scope="row">${quoted(what)}</th>
      ${cell('When', toUtcText(instant))}
      ${cell(
        'From now',
        what.startsWith(removal) && now >= instant
          ? html`<span class="badge is-drift">Removed ${toCountdown(instant, now)}</span>`
          : toCountdown(instant, now),
      )}
      ${cell(
        'Freeze',
        html`
          <div class="row">
            ${h(ActionButton, {
              label: 'Just before',
              about,
              operation: freezeAt(toIsoText(instant - 1000)),
            })}
            ${h(ActionButton, { label: 'At', about, operation: freezeAt(toIsoText(instant)) })}
          </div>
        `,
      )}
    </tr>
  `;
}

function cell(label: string, content: JSX.Element | string): JSX.Element {
  return html`
    <td>
      <span class="cell-label" aria-hidden="true">${label}</span>
      <div>${content}</div>
    </td>
  `;
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
