import { h, type JSX } from 'preact';

type Props = { headers: readonly (readonly [name: string, value: string])[] };

/** The rate-limit headers of a response, drawn: what is left of which limit until when. */
export function LimitCounters({ headers }: Props): JSX.Element | null {
  const textOf = (name: string) => headers.find(([one]) => one === name)?.[1];
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(textOf(`x-ratelimit-${name}`) ?? Number.NaN),
  ) as [number, number, number];
  if (![limit, remaining, reset].every(Number.isSafeInteger)) return null;
  const retryAfter = textOf('retry-after');
  const left = limit > 0 ? Math.min(100, Math.max(0, (100 * remaining) / limit)) : 0;
  const tone = remaining === 0 ? 'drift' : left < 20 ? 'standard' : 'kept';
  const count = (value: number) => value.toLocaleString('en');
  return h(
    'div',
    { class: `try-it-limits is-${tone}` },
    h('p', null, h('strong', null, count(remaining)), ` of ${count(limit)} requests left`),
    h(
      'svg',
      { class: 'bar', viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('rect', { width: left, height: 1 }),
    ),
    h(
      'p',
      { class: 'sub' },
      `The window ends at ${toTime(reset)}.`,
      retryAfter !== undefined && ` Retry-After: ${retryAfter} s.`,
    ),
  );
}

/** Unix seconds as a time of day, with the date as windows end at midnight too. */
function toTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? String(seconds)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
