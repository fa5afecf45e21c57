import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { KeyView, LimitsView } from '../../limits/limits-view.ts';
import { SelectField, TextField } from './fields.ts';
import { KeyLimits } from './key-limits.ts';
import { Panel } from './panel.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { usePages } from './use-pages.ts';
import { useRemembered } from './use-remembered.ts';
import { useTwinClock } from './use-twin-clock.ts';

const selections: Readonly<Record<string, (key: KeyView) => boolean>> = {
  'All keys': () => true,
  'Keys in use': ({ minute, day, strikes, ban }) =>
    minute.used > 0 || day.used > 0 || strikes > 0 || ban !== null,
  'Exhausted or banned': ({ minute, day, ban }) =>
    minute.remaining === 0 || day.remaining === 0 || ban !== null,
};

/** The limits of each key, and what changes them. */
export function LimitsPanel(): JSX.Element {
  const { value, problem } = useAdmin<LimitsView>('limits', { every: 1000 });
  const limits = useLast(value);
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

  return h(
    Panel,
    { problem: problem ?? clock.problem },
    limits &&
      h(
        'p',
        { class: 'quiet' },
        describeRules(limits),
        ' Lift ends a ban and clears the strikes and both counters of a key.',
      ),
    h(
      'div',
      { class: 'row filters', role: 'search', 'aria-label': 'Filter the keys' },
      h(TextField, {
        label: 'Name contains',
        kind: 'search',
        value: text,
        onValue: setText,
      }),
      h(SelectField, {
        label: 'Show',
        options: Object.keys(selections),
        value: selection,
        onValue: setSelection,
      }),
      h(
        'p',
        { role: 'status', class: 'count' },
        limits && `${keys.length.toLocaleString('en')} of ${count(limits.keys.length)}`,
      ),
    ),
    limits && keys.length === 0 && h('p', { class: 'none' }, 'No key matches.'),
    limits &&
      now !== undefined &&
      h(
        'ul',
        { class: 'stack keys', 'aria-label': 'Keys' },
        ...shown.map((key) =>
          h(KeyLimits, { key: key.name, view: key, plans: limits.plans, ban: limits.ban, now }),
        ),
      ),
    pager,
  );
}

function describeRules({ mode, ban }: LimitsView): string {
  if (mode === 'off') return 'Limits are off: nothing is counted or refused.';
  if (mode === 'observe') return 'Limits are only observed: calls are counted, none is refused.';
  if (ban === false) return 'Limits are enforced. Keys are never banned.';
  const { strikes, withinSeconds, seconds, maxSeconds } = ban;
  return `Limits are enforced. A key is banned after ${strikes.toLocaleString('en')} strikes, which are refused calls, within ${withinSeconds} s: for ${seconds} s, and twice as long each further time, up to ${maxSeconds} s.`;
}

function count(keys: number): string {
  return `${keys.toLocaleString('en')} ${keys === 1 ? 'key' : 'keys'}`;
}
