import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pointerTo, valueAt, withAt } from '../../../../contracts/description/property-path.ts';
import { stringifyExact } from '../../../json/exact-integers.ts';
import type { Problem } from '../../../json/validator.ts';
import type { DescribedCollection } from '../../admin/collection-handlers.ts';
import { parseJson as parse } from '../../pages/browser/exact-json.ts';
import { AreaField, SelectField, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import {
  type FormField,
  type ItemDraft,
  isJson,
  isShownBy,
  toDraft,
  toFields,
  toItemJson,
  toItemOperation,
} from './item-fields.ts';
import { cardForm } from './panel.ts';

type FormProps = {
  collection: DescribedCollection;
  /** What is changed; undefined for a new one. */
  item?: Readonly<Record<string, unknown>> | undefined;
  onDone: (item: Readonly<Record<string, unknown>>) => void;
  onCancel: () => void;
};

/**
 * A form made from the schema of a collection, or a text of JSON, that adds or changes an item. It
 * sends what differs from what was shown at first, so what others change meanwhile stays.
 */
export function ItemForm({ collection, item, onDone, onCancel }: FormProps): JSX.Element {
  const { name, idProperty } = collection;
  const fields = useMemo(
    () => toFields(collection.schema, item && { without: pointerTo(idProperty) }),
    [collection, item, idProperty],
  );
  const isOpen = collection.schema.additionalProperties === true;
  const isShowable = useMemo(
    () => (item === undefined ? !isOpen : isShownBy(fields, item, idProperty)),
    [fields, item, idProperty, isOpen],
  );
  const [mode, setMode] = useState<'form' | 'json'>(isShowable ? 'form' : 'json');
  const [draft, setDraft] = useState<ItemDraft>(() => toDraft(fields, item ?? {}));
  const [text, setText] = useState(() => stringifyExact(item ?? {}, 2));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    if (problems.length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  const written = toItemJson(fields, draft);
  const json = mode === 'json' ? (isJson(text) ? text : undefined) : written.json;
  const id = item && String(valueAt(item, idProperty));
  const operation = useMemo(
    () =>
      toItemOperation({ collection, item, json: json ?? '{}', fields: mode === 'form' && fields }),
    [collection, item, json, fields, mode],
  );
  const change = (pointer: string, value: string) => {
    setProblems([]);
    setDraft({ ...draft, [pointer]: value });
  };
  const switchTo = (next: string) => {
    setProblems([]);
    if (next === 'json' && written.json !== undefined) {
      const fields = parse(written.json) as Readonly<Record<string, unknown>>;
      const whole = item ? withAt(fields, idProperty, valueAt(item, idProperty)) : fields;
      setText(stringifyExact(whole, 2));
    }
    if (next === 'form' && isJson(text)) setDraft(toDraft(fields, parse(text)));
    setMode(next as 'form' | 'json');
  };
  const problemOf = ({ pointer }: FormField): string | undefined => {
    if (written.wrong === pointer) return 'This is not valid JSON.';
    return sentencesAt(problems, pointer);
  };
  const heading = id === undefined ? `Add an item to ${name}` : `Change ${id}`;
  return cardForm(
    { id: 'item-form', title: heading, kind: 'item-form', formRef: form, titleRef: title },
    html`
      <p role="alert" class="heard">
        ${problems.length > 0 && quoted(problems.map(({ problem }) => problem).join(' '))}
      </p>
      ${h(SelectField, {
        label: 'Edit as',
        options: { form: 'Form', json: 'JSON' },
        value: mode,
        onValue: switchTo,
        ...(!isShowable && {
          hint: isOpen ? anyFields : 'A form cannot show all of this item, so JSON is safer.',
        }),
      })}
      ${
        mode === 'json'
          ? h(AreaField, {
              label: 'The item as JSON',
              rows: Math.min(20, text.split('\n').length + 2),
              value: text,
              onValue: (value) => {
                setProblems([]);
                setText(value);
              },
              problem: json === undefined ? 'This is not valid JSON.' : sentencesAt(problems, ''),
            })
          : html`
            <div class="item-fields">
              ${fields.map((field) =>
                h(ItemField, {
                  key: field.pointer,
                  field,
                  isId: field.pointer === pointerTo(idProperty),
                  value: draft[field.pointer] ?? '',
                  onValue: (value) => change(field.pointer, value),
                  problem: problemOf(field),
                }),
              )}
            </div>
          `
      }
      <div class="row">
        ${h(ActionButton, {
          key: 'send',
          label: id === undefined ? 'Add the item' : 'Save the item',
          isSubmit: true,
          operation,
          isDisabled: json === undefined,
          onDone: (value) => onDone(value as Readonly<Record<string, unknown>>),
          onRefused: (_, value) => {
            const found = (value as { problems?: readonly Problem[] } | undefined)?.problems ?? [];
            setProblems(found);
            return found.length > 0 && (mode === 'json' || found.every(hasField(fields)));
          },
        })}
        <button type="button" onClick=${onCancel}>Cancel</button>
      </div>
    `,
  );
}

const anyFields = 'The document describes no fields of these items, so write JSON.';

type ItemFieldProps = {
  field: FormField;
  isId: boolean;
  value: string;
  onValue: (value: string) => void;
  problem: string | undefined;
};

function ItemField({ field, isId, value, onValue, problem }: ItemFieldProps): JSX.Element {
  const { label, kind, isRequired, options } = field;
  const props = {
    label: isRequired && !isId ? `${label} (required)` : label,
    value,
    onValue,
    problem,
  };
  if (kind === 'choice')
    return h(SelectField, {
      ...props,
      options: [['', 'none'], ...options.map((json) => [json, toOptionText(json)] as const)],
    });
  if (kind === 'number')
    return h(TextField, { ...props, kind: 'number', ...(isId && { placeholder: 'assigned' }) });
  if (kind === 'lines') return h(AreaField, { ...props, hint: 'One item a line.' });
  if (kind === 'json') return h(AreaField, { ...props, hint: 'JSON.' });
  return value.includes('\n') || value.length > 80
    ? h(AreaField, props)
    : h(TextField, { ...props, ...(isId && { placeholder: 'assigned' }) });
}

function toOptionText(json: string): string {
  const value = parse(json);
  return typeof value === 'string' ? value : json;
}

function hasField(fields: readonly FormField[]): (problem: Problem) => boolean {
  return ({ pointer }) => fields.some((field) => isAt(pointer, field.pointer));
}

function sentencesAt(problems: readonly Problem[], pointer: string): string | undefined {
  const found = problems.filter((one) => isAt(one.pointer, pointer));
  return found.length === 0 ? undefined : found.map(({ problem }) => problem).join(' ');
}

function isAt(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}
