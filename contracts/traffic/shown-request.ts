import { isNoKey } from './credentials.ts';
import type { KeyBook } from './key-book.ts';
import type { KeyFields } from './key-fields.ts';
import type { RawHeader } from './recorded-exchange.ts';

type Keys = Pick<KeyBook, 'isKey'> & { fields: KeyFields };

/** The query with `$KEY` in the place of keys. */
export function toShownQuery({ search }: URL, keys: Keys): string {
  if (search === '') return '';
  const parts = search.slice(1).split('&');
  const shown = parts.map((part) => {
    const [[name = '', value = ''] = []] = [...new URLSearchParams(part)];
    const isSecret = value !== '' && (keys.fields.isParameter(name) || keys.isKey(value));
    return isSecret ? `${encodeURIComponent(name)}=$KEY` : part;
  });
  return `?${shown.join('&')}`;
}

const plainHeaders = ['content-type', 'content-encoding', 'accept', 'prefer'];

/**
 * The headers that say what was asked for, and with what credential, `$KEY` in the place of keys;
 * others may hold secrets.
 */
export function toShownHeaders(headers: readonly RawHeader[], keys: Keys): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(([name, value]): RawHeader[] => {
      const lower = name.toLowerCase();
      if (lower === 'authorization') return [['Authorization', toShownCredential(value.trim())]];
      if (plainHeaders.includes(lower)) return [[name, value]];
      return keys.fields.isHeader(name) || keys.isKey(value.trim()) ? [[name, '$KEY']] : [];
    }),
  );
}

/** Another first word of a credential may be a part of a secret. */
const schemes = /^(?:basic|bearer|token|digest|api-?key|key|jwt|oauth|hawk|negotiate)$/i;

/** A credential in the form in which it was sent. */
function toShownCredential(value: string): string {
  const [scheme = '', ...rest] = value.split(/\s+/);
  const token = rest.join(' ');
  if (value === '' || isNoKey(token)) return schemes.test(scheme) || value === '' ? value : '$KEY';
  if (token === '') return /^bearer$/i.test(scheme) ? value : '$KEY';
  return schemes.test(scheme) ? `${scheme} $KEY` : '$KEY';
}
