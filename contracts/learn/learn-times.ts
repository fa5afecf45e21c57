import { type Line, toLine } from './lines.ts';
import type { Observation } from './observe.ts';

/** Learns the form of times: that of the recorded one, where all that differ have it. */
export function learnTimes(all: readonly Observation[]): Line[] {
  const seen = all.flatMap(({ call, replayed }) =>
    replayed.differences
      .filter(
        ({ kind, recorded, twin }) =>
          kind === 'form' && [recorded, twin].map(String).every(isMoment),
      )
      .map(({ recorded }) => ({ call, form: toForm(String(recorded)) })),
  );
  const forms = new Set(seen.map(({ form }) => form));
  const [form] = forms;
  if (forms.size !== 1 || form === undefined) return [];
  const calls = [...new Set(seen.map(({ call }) => call))];
  const value = form.replace('0000-00-00', '2026-01-01');
  return [
    toLine(
      calls.map((call) => ({ call })),
      { rule: ['times'], value },
    ),
  ];
}

/** A time in the form of another one, which is the same for all such times. */
function toForm(time: string): string {
  const [weekday] = /^[A-Z][a-z]{2}, /.exec(time) ?? [];
  const form = time.replaceAll(/\d/g, '0');
  return weekday ? `Thu, 01 Jan 2026 00:00:00 ${form.split(' ').at(-1)}` : form;
}

/** Whether a text is a time of a day. */
function isMoment(text: string): boolean {
  return /\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}
