import type { ValueForm } from '../../openapi/index.ts';
import { uuid } from '../../openapi/model/id-form.ts';

/**
 * Returns the one text of a value that may be written in several ways, as `2.50` is 2.5; the value as
 * text if it has no such form.
 */
export function toComparable(value: unknown, form: ValueForm | undefined): string {
  const text = String(value);
  return (form && texts[form](text)) ?? text;
}

/**
 * Returns the text by which stores know an id, wherever it stands: a UUID in lower case, as its case
 * makes no difference (RFC 9562 §4).
 */
export function toIdText(id: unknown): string {
  const text = String(id);
  return text.length === uuidLength && uuid.test(text) ? text.toLowerCase() : text;
}

const uuidLength = 36;

const texts: Readonly<Record<ValueForm, (text: string) => string | undefined>> = {
  number(text) {
    if (/^-?\d+$/.test(text)) return String(BigInt(text));
    return /^-?\d/.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : undefined;
  },
  instant(text) {
    const [, fraction = ''] = dateTime.exec(text) ?? [];
    const seconds = dateTime.test(text) ? Date.parse(text.replace(/\.\d+/, '')) : Number.NaN;
    if (Number.isNaN(seconds)) return undefined;
    const digits = fraction.replace(/0+$/, '');
    const written = digits === '' ? '' : `.${digits.padEnd(3, '0')}`;
    return new Date(seconds).toISOString().replace('.000', written);
  },
  uuid: (text) => text.toLowerCase(),
};

/** A date and time as in RFC 3339 §5.6, and the fraction of its second. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/i;
