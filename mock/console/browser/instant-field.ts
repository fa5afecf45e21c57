import { h, type JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { parseInstant } from '../../clock.ts';
import { TextField } from './fields.ts';
import { toUtcText } from './spans.ts';

type Props = { value: string; onValue: (value: string) => void };

/** An instant, chosen in UTC or written in ISO 8601; the text is what counts. */
export function InstantField({ value, onValue }: Props): JSX.Element {
  const id = useId();
  const instant = parseInstant(value);
  const isKnown = !Number.isNaN(instant);
  const picker = useRef<HTMLInputElement>(null);
  const picked = isKnown ? toPicked(instant) : '';
  // Given at each drawing, it would undo a date that is being typed.
  useEffect(() => {
    if (picker.current) picker.current.value = picked;
  }, [picked]);
  return h(
    'div',
    { class: 'stack instant' },
    h(
      'div',
      { class: 'field' },
      h('label', { for: id }, 'Date and time in UTC'),
      h('input', {
        id,
        ref: picker,
        type: 'datetime-local',
        step: 1,
        onInput: ({ currentTarget }: Event) => {
          const { value: given } = currentTarget as HTMLInputElement;
          if (given !== '') onValue(toIso(given));
        },
      }),
    ),
    h(TextField, {
      label: 'The same as ISO 8601, in UTC unless it names a zone',
      value,
      onValue,
      ...(isKnown && { hint: `= ${toUtcText(instant)}` }),
    }),
  );
}

/** What a picker of dates takes; it knows no zones. */
function toPicked(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

/** Pickers leave seconds out where they are none. */
function toIso(picked: string): string {
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`;
}
