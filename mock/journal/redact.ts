/** What stands in the place of a key. */
export const filtered = '[Filtered]';

/** Takes keys out of texts. */
export type Redact = {
  /** Any text: every known key in it, percent-encoded or escaped in JSON as well, and one that was cut off in its second half. */
  text(text: string): string;
  /** A URL: as a text, and the value of each parameter that is named like a key. */
  url(url: string): string;
  /** The value of a header: the whole of it where the header is there for keys, but for a known scheme. */
  header(name: string, value: string): string;
  /** A value of JSON: all texts in it. */
  value<T>(value: T): T;
  /** Filters further keys from now on. */
  hide(secrets: readonly string[]): void;
};

const secretName = /authorization|cookie|token|secret|password|credential|signature|(?:api|access|auth|private)[-_]?key/i;
const secretParameter = new RegExp(`([?&][^=&#]*(?:${secretName.source})[^=&#]*=)[^&#]+`, 'gi');

/** A key as short as this may be a word of its own, so only what stands alone is taken for it. */
const shortKey = 7;

/** Makes the filter for some secrets; what headers and parameters for keys hold is filtered whether it is known or not. */
export function createRedact(secrets: readonly string[]): Redact {
  const hidden = new Set<string>();
  let plain: RegExp | undefined;
  let encoded: RegExp | undefined;
  const hide = (more: readonly string[]) => {
    for (const secret of more) hidden.add(secret);
    const longestFirst = [...hidden].toSorted((one, other) => other.length - one.length);
    plain = toPattern(longestFirst, RegExp.escape);
    encoded = toPattern(longestFirst, toEncodedForms);
  };
  hide(secrets);

  const redactText = (text: string) => {
    const pattern = /[%\\]/.test(text) ? encoded : plain;
    return pattern ? text.replace(pattern, filtered) : text;
  };
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redactText(name), redactValue(inner)]));
  };
  return {
    text: redactText,
    url: (url) => redactText(url).replace(secretParameter, `$1${filtered}`),
    header(name, value) {
      if (!secretName.test(name)) return redactText(value);
      const scheme = /^(?:bearer|basic|digest) /i.exec(value)?.[0] ?? '';
      return scheme + filtered;
    },
    value: <T>(value: T) => redactValue(value) as T,
    hide,
  };
}

/** A character as it is, percent-encoded, and in the two ways to escape it in JSON. */
function toEncodedForms(char: string): string {
  const hex = char.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:\\\\?${RegExp.escape(char)}|%${hex}|\\\\u00${hex})`;
}

function toPattern(secrets: readonly string[], toForm: (char: string) => string): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  const keys = secrets.map((secret) => {
    const forms = [...secret].map(toForm);
    if (secret.length <= shortKey) return `(?<![\\w.~+/-])${forms.join('')}(?![\\w.~+/-])`;
    const half = Math.max(shortKey + 1, Math.ceil(secret.length / 2));
    // Texts that are cut may end inside of a key.
    return forms.slice(0, half).join('') + forms.slice(half).reduceRight((rest, form) => `(?:${form}${rest})?`, '');
  });
  return new RegExp(keys.join('|'), 'gi');
}
