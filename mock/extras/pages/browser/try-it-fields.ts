import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeFigures } from '../../../limits/windows.ts';
import type { KeyView, OperationView, ParameterView } from '../operation-view.ts';
import { problemOfJson } from './exact-json.ts';
import { AreaField, SelectField, TextField } from './fields.ts';
import { type FormValues, fieldOf, toEditable } from './form-call.ts';
import { quoted } from './parts.ts';

type Props = { view: OperationView; values: FormValues; onChange: (values: FormValues) => void };

/** The fields of a call: the key, the parameters, further headers, and the body. */
export function TryItFields({ view, values, onChange }: Props): JSX.Element {
  const sendable = view.parameters.filter((parameter) => parameter.in !== 'cookie');
  const hasCookies = [...view.parameters, ...view.keyPlaces].some((one) => one.in === 'cookie');
  const { parameters } = values;
  const field = (name: 'key' | 'headers' | 'body') => ({
    value: values[name],
    onValue: (text: string) => onChange({ ...values, [name]: text }),
  });
  const parameterFields = sendable.map((parameter) => {
    const name = fieldOf(parameter);
    const onValue = (text: string) =>
      onChange({ ...values, parameters: { ...parameters, [name]: text } });
    return parameterField(parameter, { key: name, value: parameters[name] ?? '', onValue });
  });
  const headers = { label: 'One a line, such as "Prefer: code=503"', rows: 2 };
  return html`
    <div class="try-it-fields">
      ${view.keyPlaces.length > 0 && h(KeyField, { keys: view.keys, ...field('key') })}
      ${parameterFields}
      ${hasCookies && html`<p class="quiet">Cookies are left out: a page cannot set them.</p>`}
      <details class="wide">
        <summary>Further headers</summary>
        ${h(AreaField, { ...headers, ...field('headers') })}
      </details>
      ${view.body && bodyField(view.body, field('body'))}
    </div>
  `;
}

type Field = { value: string; onValue: (text: string) => void };

const none = '';
const other = 'another';

/** A key of the twin, one that is typed, or none; the page holds it in its memory alone. */
function KeyField({ keys, value, onValue }: Field & { keys: KeyView[] }): JSX.Element {
  const shown = keys.flatMap(({ key, plan }) => {
    const shown = `${key} (${plan.name}: ${describeFigures(plan)})`;
    return key === undefined ? [] : [[key, shown] as const];
  });
  const [isTyped, setTyped] = useState(shown.length === 0);
  const choose = (chosen: string) => {
    setTyped(chosen === other);
    onValue(chosen === other ? '' : chosen);
  };
  const options = [...shown, [other, 'Another key'] as const, [none, 'No key'] as const];
  const hint = 'This page holds it in memory until it is closed or reloaded.';
  const typed = { label: 'The key to send', kind: 'password' as const, hint };
  return html`
    <div class="wide">
      ${h(SelectField, { label: 'Key', options, value: isTyped ? other : value, onValue: choose })}
      ${isTyped && h(TextField, { ...typed, value, onValue })}
    </div>
  `;
}

/** So many values are offered; some documents list thousands. */
const maxOptions = 200;

/** A field that offers the values that the document lists, and takes others, to see them refused. */
function parameterField(parameter: ParameterView, field: Field & { key: string }): JSX.Element {
  const { name, required, type, isList, examples } = parameter;
  const options = type === 'boolean' ? ['true', 'false'] : parameter.options;
  const shared = {
    ...field,
    label: html`<code>${quoted(name)}</code>`,
    isRequired: required && parameter.in === 'path',
    hint: toFacts(parameter, options),
  };
  if (isList) return h(AreaField, { ...shared, rows: 2 });
  if (options.length > 0)
    return h(TextField, { ...shared, suggestions: options.slice(0, maxOptions) });
  return h(TextField, { ...shared, placeholder: parameter.default ?? examples[0] });
}

/** So many values of a list are named below its field. */
const maxNamed = 6;

/** Returns the values that a field takes, in a few words. */
function toFacts({ in: place, required, type, isList }: ParameterView, options: readonly string[]) {
  const named = options.length > 0 && options.length <= maxNamed ? options.join(', ') : type;
  const values = isList ? `${named || 'values'}, one a line` : named;
  return [place, required && 'required', values].filter(Boolean).join(', ');
}

function bodyField(
  { required, examples }: NonNullable<OperationView['body']>,
  { value, onValue }: Field,
): JSX.Element {
  const load = (name: string) => {
    const text = examples.find((one) => one.name === name)?.text;
    if (text !== undefined) onValue(toEditable(text));
  };
  const choices = [['', 'Choose one to load it'] as const, ...examples.map(({ name }) => name)];
  return html`
    <div class="wide">
      ${
        examples.length > 1 &&
        h(SelectField, { label: 'Example', options: choices, value: '', onValue: load })
      }
      ${h(AreaField, {
        label: required ? 'Body' : 'Body, optional',
        rows: Math.min(16, Math.max(4, value.split('\n').length)),
        value,
        onValue,
        // It is sent all the same, to see it refused.
        problem: value === '' ? undefined : problemOfJson(value),
      })}
    </div>
  `;
}
