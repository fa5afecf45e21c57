import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { KeyView, OperationView, ParameterView } from '../operation-view.ts';
import { type FormValues, fieldOf, toEditable } from './form-call.ts';
import { quoted } from './parts.ts';

type Props = { view: OperationView; values: FormValues; onChange: (values: FormValues) => void };

/** The fields of a call: the key, the parameters, further headers, and the body. */
export function TryItFields({ view, values, onChange }: Props): JSX.Element {
  const setParameter = (parameter: ParameterView, text: string) =>
    onChange({ ...values, parameters: { ...values.parameters, [fieldOf(parameter)]: text } });
  const sendable = view.parameters.filter((parameter) => parameter.in !== 'cookie');
  const cookies = view.parameters.length - sendable.length;
  return html`
    <div class="try-it-fields">
      ${
        view.keyPlaces.length > 0 &&
        h(KeyField, {
          keys: view.keys,
          value: values.key,
          onInput: (key) => onChange({ ...values, key }),
        })
      }
      ${sendable.map((parameter) =>
        h(ParameterField, {
          key: fieldOf(parameter),
          parameter,
          value: values.parameters[fieldOf(parameter)] ?? '',
          onInput: (text) => setParameter(parameter, text),
        }),
      )}
      ${cookies > 0 && html`<p class="quiet">Cookies are left out: a page cannot set them.</p>`}
      ${h(HeadersField, {
        value: values.headers,
        onInput: (headers) => onChange({ ...values, headers }),
      })}
      ${
        view.body &&
        h(BodyField, { view, value: values.body, onInput: (body) => onChange({ ...values, body }) })
      }
    </div>
  `;
}

type FieldProps = { value: string; onInput: (text: string) => void };

function textOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement).value;
}

const none = '';
const other = 'another';

/** A key of the twin, one that is typed, or none; the page holds it in its memory alone. */
function KeyField({ keys, value, onInput }: FieldProps & { keys: KeyView[] }): JSX.Element {
  const id = useId();
  const shown = keys.filter(({ key }) => key !== undefined);
  const [isTyped, setTyped] = useState(shown.length === 0);
  const choose = (chosen: string) => {
    setTyped(chosen === other);
    onInput(chosen === other ? '' : chosen);
  };
  const optionOf = ({ key = '', plan }: KeyView) => {
    const figures = `${plan.perMinute.toLocaleString('en')}/min, ${plan.perDay.toLocaleString('en')}/day`;
    return html`<option key=${key} value=${key}>${key} (${plan.name}: ${figures})</option>`;
  };
  return html`
    <div class="field wide">
      <label for=${id}>Key</label>
      <select
        id=${id}
        value=${isTyped ? other : value}
        onChange=${(event: Event) => choose(textOf(event))}
      >
        ${shown.map(optionOf)}
        <option value=${other}>Another key</option>
        <option value=${none}>No key</option>
      </select>
      ${
        isTyped && [
          html`<label for="${id}-typed">The key to send</label>`,
          html`
            <input
              id="${id}-typed"
              type="password"
              autocomplete="off"
              spellcheck=${false}
              value=${value}
              onInput=${(event: Event) => onInput(textOf(event))}
            />
          `,
          html`<p class="hint">This page holds it in memory until it is closed or reloaded.</p>`,
        ]
      }
    </div>
  `;
}

type ParameterProps = FieldProps & { parameter: ParameterView };

function ParameterField({ parameter, value, onInput }: ParameterProps): JSX.Element {
  const id = useId();
  const { name, required, type, isList } = parameter;
  const options = type === 'boolean' ? ['true', 'false'] : parameter.options;
  const shared = {
    id,
    required: required && parameter.in === 'path',
    'aria-describedby': `${id}-facts`,
    onInput: (event: Event) => onInput(textOf(event)),
  };
  const [example = ''] = parameter.examples;
  const hint = parameter.default ?? example;
  return html`
    <div class="field">
      <label for=${id}>
        <code>${quoted(name)}</code>
      </label>
      ${
        isList
          ? html`<textarea ...${shared} value=${value} rows="2" spellcheck=${false} />`
          : options.length > 0
            ? h(Choice, { ...shared, value, options })
            : html`
              <input
                ...${shared}
                value=${value}
                autocomplete="off"
                spellcheck=${false}
                ...${hint !== '' && { placeholder: hint }}
              />
            `
      }
      <p class="hint" id="${id}-facts">${quoted(toFacts(parameter, options))}</p>
    </div>
  `;
}

/** So many values of a list are named below its field. */
const maxNamed = 6;

/** What a field takes, in a few words. */
function toFacts({ in: place, required, type, isList }: ParameterView, options: readonly string[]) {
  const named = options.length > 0 && options.length <= maxNamed ? options.join(', ') : type;
  const values = isList ? `${named || 'values'}, one a line` : named;
  return [place, required && 'required', values].filter(Boolean).join(', ');
}

type ChoiceProps = {
  id: string;
  value: string;
  required: boolean;
  'aria-describedby': string;
  onInput: (event: Event) => void;
  options: readonly string[];
};

/** A field that offers the values that the document lists, and takes others, to see them refused. */
function Choice({ options, ...props }: ChoiceProps): JSX.Element {
  const list = `${props.id}-options`;
  return html`
    <span class="choice">
      <input ...${props} list=${list} autocomplete="off" spellcheck=${false} />
      <datalist id=${list}>
        ${options.slice(0, maxOptions).map((one) => html`<option key=${one} value=${one} />`)}
      </datalist>
    </span>
  `;
}

/** So many values are offered; some documents list thousands. */
const maxOptions = 200;

function HeadersField({ value, onInput }: FieldProps): JSX.Element {
  const id = useId();
  return html`
    <details class="wide">
      <summary>Further headers</summary>
      <div class="field">
        <label for=${id}>One a line, such as "Prefer: code=503"</label>
        <textarea
          id=${id}
          rows="2"
          spellcheck=${false}
          value=${value}
          onInput=${(event: Event) => onInput(textOf(event))}
        />
      </div>
    </details>
  `;
}

function BodyField({ view, value, onInput }: FieldProps & { view: OperationView }): JSX.Element {
  const id = useId();
  const { examples = [] } = view.body ?? {};
  const load = (name: string) => {
    const text = examples.find((one) => one.name === name)?.text;
    if (text !== undefined) onInput(toEditable(text));
  };
  const problem = value === '' ? '' : problemOf(value);
  return html`
    <div class="field wide">
      ${
        examples.length > 1 && [
          html`<label for="${id}-example">Example</label>`,
          html`
            <select id="${id}-example" value="" onChange=${(event: Event) => load(textOf(event))}>
              <option value="">Choose one to load it</option>
              ${examples.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
            </select>
          `,
        ]
      }
      <label for=${id}>${view.body?.required ? 'Body' : 'Body, optional'}</label>
      <textarea
        id=${id}
        class="body"
        rows=${Math.min(16, Math.max(4, value.split('\n').length))}
        spellcheck=${false}
        aria-describedby="${id}-problem"
        value=${value}
        onInput=${(event: Event) => onInput(textOf(event))}
      />
      <p class="hint" id="${id}-problem" aria-live="polite">${quoted(problem)}</p>
    </div>
  `;
}

/** What keeps a text from being JSON; it is sent all the same, to see it refused. */
function problemOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is no JSON: ${(error as Error).message}`;
  }
}
