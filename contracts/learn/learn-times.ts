import { type Line, toLine } from './lines.ts';
import type { Observation } from './observe.ts';

/**
 * Learns the form of times: that of the recorded ones, where all that differ have it. Where others are as
 * the mock writes them, it is that of some operations.
 */
export function learnTimes(all: readonly Observation[]): Line[] {
  const seen = all.flatMap(({ call, operation, replayed }) =>
    replayed.differences
      .filter(
        ({ kind, recorded, twin }) =>
          kind === 'form' && [recorded, twin].map(String).every(isMoment),
      )
      .map(({ recorded }) => ({ call, operation, form: toForm(String(recorded)) })),
  );
  const isOwn = ({ replayed: { response, differences } }: Observation) =>
    differences.every(({ kind }) => kind !== 'form') && ownTime.test(response.text);
  const groups = all.some(isOwn)
    ? Map.groupBy(seen, ({ operation }) => operation)
    : [[undefined, seen] as const];
  return [...groups].flatMap(([operation, own]): Line[] => {
    const forms = new Set(own.map(({ form }) => form));
    const [form] = forms;
    if (forms.size !== 1 || form === undefined) return [];
    const calls = [...new Set(own.map(({ call }) => call))].map((call) => ({ call }));
    const value = form.replace('0000-00-00', '2026-01-01');
    return [toLine(calls, { ...(operation && { operation }), rule: ['times'], value })];
  });
}

/** Matches a text of JSON that is a time as the mock writes it. */
const ownTime = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"/;

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
