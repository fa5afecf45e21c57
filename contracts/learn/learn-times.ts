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
      .map(({ recorded }) => ({ call, form: String(recorded).replaceAll(/\d/g, '0') })),
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

/** Whether a text is a time of a day. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text);
}
