import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pointerTo, valueAt, withAt } from '../../../../contracts/description/property-path.ts';
import { stringifyExact } from '../../../../contracts/json-text.ts';
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
import { cardForm, useFocusOnWrong } from './panel.ts';

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
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const form = useFocusOnWrong(problems.length > 0 && problems);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const written = useWritten({ collection, item, onChange: () => setProblems([]) });
  const { fields, mode, json, hint } = written;
  const operation = useMemo(
    () =>
      toItemOperation({ collection, item, json: json ?? '{}', fields: mode === 'form' && fields }),
    [collection, item, json, fields, mode],
  );
  const id = item && String(valueAt(item, idProperty));
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
        onValue: written.switchTo,
        ...(hint !== undefined && { hint }),
      })}
      ${
        mode === 'json'
          ? jsonField(written, problems)
          : itemFields(written, { problems, idPointer: pointerTo(idProperty) })
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

/** What is written of an item, as a form or as JSON, and what changes it. */
type Written = {
  fields: readonly FormField[];
  mode: 'form' | 'json';
  /** Why it is not shown as a form at first. */
  hint: string | undefined;
  draft: ItemDraft;
  text: string;
  /** The item; undefined where something of it is no JSON: the field of this pointer, or the text. */
  json: string | undefined;
  wrong: string | undefined;
  change: (pointer: string, value: string) => void;
  changeText: (text: string) => void;
  switchTo: (mode: string) => void;
};

type WrittenOptions = Pick<FormProps, 'collection' | 'item'> & { onChange: () => void };

function useWritten({ collection, item, onChange }: WrittenOptions): Written {
  const { idProperty, schema } = collection;
  const fields = useMemo(
    () => toFields(schema, item && { without: pointerTo(idProperty) }),
    [collection, item, idProperty],
  );
  const isOpen = schema.additionalProperties === true;
  const isShowable = useMemo(
    () => (item === undefined ? !isOpen : isShownBy(fields, item, idProperty)),
    [fields, item, idProperty, isOpen],
  );
  const [mode, setMode] = useState<'form' | 'json'>(isShowable ? 'form' : 'json');
  const [draft, setDraft] = useState<ItemDraft>(() => toDraft(fields, item ?? {}));
  const [text, setText] = useState(() => stringifyExact(item ?? {}, 2));
  const ofForm = toItemJson(fields, draft);
  const ofText = isJson(text) ? text : undefined;
  const whyJson = isOpen ? anyFields : 'A form cannot show all of this item, so JSON is safer.';
  return {
    fields,
    mode,
    draft,
    text,
    wrong: ofForm.wrong,
    hint: isShowable ? undefined : whyJson,
    json: mode === 'json' ? ofText : ofForm.json,
    change(pointer, value) {
      onChange();
      setDraft({ ...draft, [pointer]: value });
    },
    changeText(value) {
      onChange();
      setText(value);
    },
    switchTo(next) {
      onChange();
      if (next === 'json' && ofForm.json !== undefined) {
        const ofFields = parse(ofForm.json) as Readonly<Record<string, unknown>>;
        const whole = item ? withAt(ofFields, idProperty, valueAt(item, idProperty)) : ofFields;
        setText(stringifyExact(whole, 2));
      }
      if (next === 'form' && ofText !== undefined) setDraft(toDraft(fields, parse(ofText)));
      setMode(next as 'form' | 'json');
    },
  };
}

function jsonField({ text, json, changeText }: Written, problems: readonly Problem[]): JSX.Element {
  return h(AreaField, {
    label: 'The item as JSON',
    rows: Math.min(20, text.split('\n').length + 2),
    value: text,
    onValue: changeText,
    problem: json === undefined ? notJson : sentencesAt(problems, ''),
  });
}

function itemFields(
  { fields, draft, wrong, change }: Written,
  { problems, idPointer }: { problems: readonly Problem[]; idPointer: string },
): JSX.Element {
  return html`
    <div class="item-fields">
      ${fields.map((field) =>
        h(ItemField, {
          key: field.pointer,
          field,
          isId: field.pointer === idPointer,
          value: draft[field.pointer] ?? '',
          onValue: (value) => change(field.pointer, value),
          problem: wrong === field.pointer ? notJson : sentencesAt(problems, field.pointer),
        }),
      )}
    </div>
  `;
}

const notJson = 'This is not valid JSON.';

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
