import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId } from 'preact/hooks';
import { toVisible } from '../../../../common/look/visible.ts';
import { quoted } from './parts.ts';

type FieldProps = {
  label: string | JSX.Element;
  value: string;
  onValue: (value: string) => void;
  /** A hint to read before the field is filled in. */
  hint?: string | undefined;
  /** The problem with the value. */
  problem?: string | undefined;
  /**
   * The context that tells fields with equal labels apart, for people who do not see the field's
   * place.
   */
  about?: string;
  isRequired?: boolean;
};

type TextProps = FieldProps & {
  kind?: 'text' | 'search' | 'number' | 'password';
  placeholder?: string | undefined;
  suggestions?: readonly string[];
};

/** A labelled line of text; a number is text too, so that the twin judges whatever is written. */
export function TextField(props: TextProps): JSX.Element {
  const { kind = 'text', placeholder, suggestions } = props;
  const id = useId();
  const numeric = kind === 'number' && { inputMode: 'decimal', class: 'short' };
  const options = suggestions?.map((value) => html`<option key=${value} value=${value} />`);
  return field(
    id,
    props,
    html`
      <input
        ...${toAttributes(id, props)}
        ...${numeric}
        type=${kind === 'number' ? 'text' : kind}
        autocomplete="off"
        spellcheck=${false}
        placeholder=${placeholder}
        list=${options && `${id}-list`}
      />
      ${options && html`<datalist id="${id}-list">${options}</datalist>`}
    `,
  );
}

/** A labelled text of several lines. */
export function AreaField(props: FieldProps & { rows?: number }): JSX.Element {
  const id = useId();
  const { rows = 3 } = props;
  return field(
    id,
    props,
    html`<textarea ...${toAttributes(id, props)} rows=${rows} spellcheck=${false} dir="ltr" />`,
  );
}

/** Choices as texts by their values, or as a list, where one is its value, or value and text. */
type Options =
  | Readonly<Record<string, string>>
  | readonly (string | readonly [value: string, text: string])[];

/** A labelled choice. */
export function SelectField(props: FieldProps & { options: Options }): JSX.Element {
  const id = useId();
  const { options, value: chosen } = props;
  const list = Array.isArray(options) ? options : Object.entries(options);
  const shown = list.map((option) => {
    const [value, text] = typeof option === 'string' ? [option, option] : option;
    return html`
      <option key=${value} value=${value} selected=${value === chosen}>${toVisible(text)}</option>
    `;
  });
  return field(id, props, html`<select ...${toAttributes(id, props)}>${shown}</select>`);
}

type Draft<Name extends string> = {
  draft: Readonly<Record<Name, string>>;
  onChange: (changed: Partial<Record<Name, string>>) => void;
  problemOf?: (name: Name) => string | undefined;
};

/** Creates the fields of a draft: each shows and changes the member with its name. */
export function fieldsOf<Name extends string>({ draft, onChange, problemOf }: Draft<Name>) {
  const bind = (name: Name) => ({
    value: draft[name],
    onValue: (value: string) => onChange({ [name]: value } as Partial<Record<Name, string>>),
    problem: problemOf?.(name),
  });
  return {
    text: (name: Name, label: string, more: Partial<TextProps> = {}) =>
      h(TextField, { label, ...bind(name), ...more }),
    number: (name: Name, label: string, more: Partial<TextProps> = {}) =>
      h(TextField, { label, kind: 'number', ...bind(name), ...more }),
    area: (name: Name, label: string, more: Partial<FieldProps> & { rows?: number } = {}) =>
      h(AreaField, { label, ...bind(name), ...more }),
    select: (name: Name, label: string, options: Options, more: Partial<FieldProps> = {}) =>
      h(SelectField, { label, ...bind(name), options, ...more }),
  };
}

function toAttributes(id: string, { value, onValue, hint, problem, isRequired }: FieldProps) {
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return {
    id,
    value,
    onInput: ({ currentTarget }: Event) => onValue((currentTarget as HTMLInputElement).value),
    required: isRequired,
    'aria-invalid': problem !== undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
  };
}

function field(
  id: string,
  { label, about, hint, problem }: FieldProps,
  control: JSX.Element,
): JSX.Element {
  return html`
    <div class="field">
      <label for=${id}>
        ${label}
        ${about !== undefined && html`<span class="heard"> ${quoted(about)}</span>`}
      </label>
      ${control}
      ${hint !== undefined && html`<p id="${id}-hint" class="sub">${quoted(hint)}</p>`}
      ${
        problem !== undefined &&
        html`<p id="${id}-problem" class="outcome is-drift">${quoted(problem)}</p>`
      }
    </div>
  `;
}
