import { toTarget } from '../../../curl/place-key.ts';
import type { Call } from '../../../curl/to-curl.ts';
import type { OperationView, ParameterView } from '../operation-view.ts';
import { indentJson } from './exact-json.ts';

/** The values that a person has typed or chosen. */
export type FormValues = {
  /** The bearer token to send; empty for none. */
  key: string;
  /** The texts of parameters, by {@link fieldOf}; nothing for one that is not sent. */
  parameters: Readonly<Record<string, string>>;
  /** Further headers, one a line. */
  headers: string;
  body: string;
};

/** The name of the field of a parameter; two may have one name in different places. */
export function fieldOf({ name, in: place }: Pick<ParameterView, 'name' | 'in'>): string {
  return `${place}:${name}`;
}

/** The values of a call that succeeds as it stands. */
export function toInitialValues({ call, keys, parameters, body }: OperationView): FormValues {
  const path = Object.entries(call?.values.path ?? {}).map(([name, value]) => [
    fieldOf({ name, in: 'path' }),
    value,
  ]);
  const query = (call?.values.query ?? []).map(([name, value]) => [
    fieldOf({ name, in: 'query' }),
    value,
  ]);
  const required = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map((parameter) => [fieldOf(parameter), parameter.examples[0] ?? '']);
  return {
    key: keys[0]?.key ?? '',
    parameters: Object.fromEntries([...required, ...path, ...query]),
    headers: '',
    body: toEditable(call?.body ?? body?.examples[0]?.text ?? ''),
  };
}

/** The call that the values stand for, or a sentence on what cannot be sent. */
export function toCall(view: OperationView, values: FormValues): Call | { problem: string } {
  const textOf = (parameter: ParameterView) => values.parameters[fieldOf(parameter)] ?? '';
  const isSent = (parameter: ParameterView) => textOf(parameter) !== '';
  const inPlace = (place: ParameterView['in']) =>
    view.parameters.filter((parameter) => parameter.in === place);
  const missing = inPlace('path').find((parameter) => !isSent(parameter));
  if (missing) return { problem: `The path needs a value for "${missing.name}".` };

  const path = Object.fromEntries(inPlace('path').map((one) => [one.name, textOf(one)]));
  const query = inPlace('query')
    .filter(isSent)
    .flatMap((one) => valuesOf(one, textOf(one)).map((value) => [one.name, value] as const));
  const headers: Record<string, string> = {};
  for (const parameter of inPlace('header').filter(isSent))
    headers[parameter.name] = valuesOf(parameter, textOf(parameter)).join(',');
  for (const line of values.headers.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '') return { problem: `A header is "Name: value", but a line is "${line}".` };
    headers[name] = value;
  }
  const { body } = values;
  const { mediaType } = view.call ?? {};
  return {
    target: toTarget(view.path, { path, query }),
    headers,
    ...(view.body && body !== '' && { body, ...(mediaType && { mediaType }) }),
  };
}

/** JSON as one edits it. */
export function toEditable(json: string): string {
  return indentJson(json) ?? json;
}

/** A list has a value a line. */
function valuesOf({ isList }: ParameterView, text: string): string[] {
  return isList ? text.split('\n').filter((line) => line !== '') : [text];
}
