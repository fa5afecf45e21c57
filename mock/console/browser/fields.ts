import { h, type JSX } from 'preact';
import { useId } from 'preact/hooks';
import { toVisible } from '../../../contracts/look/visible.ts';
import { Shown } from '../../pages/browser/parts.ts';

type FieldProps = {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** What to know before it is filled in. */
  hint?: string;
  /** What is wrong with it. */
  problem?: string | undefined;
  /** Where the label alone would be the same as others', for those who do not see where it stands. */
  about?: string;
};

type TextProps = FieldProps & {
  kind?: 'text' | 'search' | 'number';
  placeholder?: string;
  suggestions?: readonly string[];
};

/** A labelled line of text; a number is text too, so that the twin judges whatever is written. */
export function TextField(props: TextProps): JSX.Element {
  const { kind = 'text', placeholder, suggestions } = props;
  const id = useId();
  return toField(
    id,
    props,
    h('input', {
      ...toAttributes(id, props),
      type: kind === 'search' ? 'search' : 'text',
      autocomplete: 'off',
      spellcheck: false,
      ...(kind === 'number' && { inputMode: 'decimal' as const, class: 'short' }),
      ...(placeholder !== undefined && { placeholder }),
      ...(suggestions && { list: `${id}-list` }),
    }),
    suggestions &&
      h(
        'datalist',
        { id: `${id}-list` },
        ...suggestions.map((value) => h('option', { key: value, value })),
      ),
  );
}

/** A labelled text of several lines. */
export function AreaField(props: FieldProps & { rows?: number }): JSX.Element {
  const id = useId();
  const { rows = 3 } = props;
  return toField(
    id,
    props,
    h('textarea', { ...toAttributes(id, props), rows, spellcheck: false, dir: 'ltr' }),
  );
}

/** A labelled choice; an option is its value, or value and text. */
export function SelectField(
  props: FieldProps & { options: readonly (string | readonly [value: string, text: string])[] },
): JSX.Element {
  const id = useId();
  const { options, value: chosen } = props;
  return toField(
    id,
    props,
    h(
      'select',
      toAttributes(id, props),
      ...options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option;
        return h('option', { key: value, value, selected: value === chosen }, toVisible(text));
      }),
    ),
  );
}

function toAttributes(id: string, { value, onValue, hint, problem }: FieldProps) {
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const onInput = ({ currentTarget }: Event) => onValue((currentTarget as HTMLInputElement).value);
  return {
    id,
    value,
    onInput,
    'aria-invalid': problem !== undefined,
    ...(describedBy !== '' && { 'aria-describedby': describedBy }),
  };
}

function toField(
  id: string,
  { label, about, hint, problem }: FieldProps,
  ...control: (JSX.Element | undefined)[]
): JSX.Element {
  return h(
    'div',
    { class: 'field' },
    h(
      'label',
      { for: id },
      label,
      about !== undefined && h('span', { class: 'heard' }, ' ', h(Shown, { text: about })),
    ),
    ...control,
    hint !== undefined && h('p', { id: `${id}-hint`, class: 'sub' }, hint),
    problem !== undefined &&
      h('p', { id: `${id}-problem`, class: 'outcome is-drift' }, h(Shown, { text: problem })),
  );
}
