import { freshText } from '../cases/fresh-value.ts';

/** A value with a name for people. */
export type NamedValue<Value> = readonly [what: string, value: Value];

/** Texts that servers stumble over, of the kinds of the Big List of Naughty Strings. */
export const naughtyTexts: readonly NamedValue<string>[] = [
  // What fails is shortened, so that one text tries many characters at once.
  ['a mix of characters', `\u0013'"\\<b>&;%${'$'}{x}é猫\u202e😀`],
  ['an empty text', ''],
  ['a space', ' '],
  ['a NUL', 'a\0b'],
  ['control characters', 'a\u0001\u0008\u001b\u007fb'],
  ['half a surrogate pair', 'a\ud800b'],
  ['a single quote', "O'Neil"],
  ['SQL', "1'; SELECT 1; --"],
  ['a percent sign', '100%s%n%'],
  ['a long text', 'x'.repeat(5000)],
  ['an emoji', '👩‍👩‍👧‍👦🏳️‍🌈'],
  ['a very long text', 'x'.repeat(70_000)],
  ['double quotes', '"a" \\"b\\" \\'],
  ['HTML', '<script>alert(1)</script>&lt;b&gt;'],
  ['a path', '../../../etc/passwd'],
  ['a line break', 'a\r\nX-Injected: 1'],
  ['a template', '$' + '{7*7} <%= 7*7 %> #{7*7}'],
  ['a shell command', '$(true) `true` | true'],
  ['right-to-left text', '\u202eabc \u0627\u0644\u0639\u0631\u0628\u064a\u0629'],
  ['combined characters', 'e\u0301\u0301\u0301 \ufb01 \u00c5 \u212b'],
  ['unseen characters', '\ufeff\u200b\u00ad\u2060'],
  ['a noncharacter', 'a\uffff\u{10ffff}b'],
  ['the text null', 'null'],
  ['the text NaN', 'NaN'],
  ['a number in quotes', '-1'],
  ['a date that is none', '2021-02-30T25:61:61Z'],
  ['the text __proto__', '__proto__'],
];

/** JSON of numbers as it stands in a body; some is no JSON, and some is beyond a double or an int64. */
export const naughtyNumbers: readonly string[] = [
  ...['-1', '0', '1e400', '9007199254740993', '9223372036854775808', '-2147483649', '1.5'],
  ...['-0', '007', '1e-400', '99999999999999999999999999999999', 'NaN'],
];

/** Segments of paths, as they are sent. None is a dot segment, which a client would resolve. */
export const naughtySegments: readonly NamedValue<string>[] = [
  ['a NUL', 'a%00b'],
  ['a word', 'abc'],
  ['zero', '0'],
  ['a negative number', '-1'],
  ['a number beyond 64 bits', '99999999999999999999'],
  ['an encoded slash', 'a%2Fb'],
  ['a path', '..%2F..%2Fetc%2Fpasswd'],
  ['an encoded backslash', 'a%5Cb'],
  ['a quote', "1'%20OR%20'1'%3D'1"],
  ['a percent sign', '%25s%25n'],
  ['no UTF-8', '%ff%fe'],
  ['a broken escape', '%zz'],
  ['an emoji', '%F0%9F%98%80'],
  ['a space', '%20'],
  ['a line break', 'a%0d%0ab'],
  ['a number with an exponent', '1e400'],
  ['a semicolon', '1;a=b'],
  ['a long text', 'x'.repeat(5000)],
];

/** Whole bodies that are no JSON, or hardly any. */
export const naughtyBodies: readonly NamedValue<string>[] = [
  ['an empty body', ''],
  ['null', 'null'],
  ['an empty list', '[]'],
  ['a list of null', '[null]'],
  ['a text', '"text"'],
  ['a number', '1'],
  ['an empty object', '{}'],
  ['a cut object', '{"a":'],
  ['a deep list', `${'['.repeat(1100)}${']'.repeat(1100)}`],
  ['a deep object', `${'{"a":'.repeat(1100)}1${'}'.repeat(1100)}`],
  ['a NUL', '\0'],
  ['a byte order mark', '\ufeff{}'],
];

/** Values of `Content-Type` that documents seldom describe, with a body of that kind where it is not JSON. */
export const naughtyTypes: readonly (readonly [mediaType: string, body?: string])[] = [
  ['text/plain'],
  ['application/xml', '<?xml version="1.0"?><a>text</a>'],
  [''],
  ['application/x-www-form-urlencoded', 'a=b&a=c'],
  ['multipart/form-data', 'text'],
  ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
  ['application/octet-stream'],
  ['application/json; charset=utf-16'],
  ['nonsense'],
];

/** Values of headers that any call may have, whatever the document says. */
export const naughtyAccepts = ['application/xml', 'text/html', 'nonsense', 'application/json;q=a'];

/** Values of headers that a client can send. */
export const naughtyHeaders: readonly NamedValue<string>[] = [
  ['an empty value', ''],
  ['a long value', 'x'.repeat(4000)],
  ['a quote', "1' OR '1'='1"],
  ['a word', 'abc'],
  ['a negative number', '-1'],
  ['a number beyond 64 bits', '99999999999999999999'],
  ['commas', ',,,'],
  ['bytes beyond ASCII', '\u00e9\u00ff'],
];

/** Values of a query parameter, as they are sent; a list is the parameter repeated. */
export const naughtyQueries: readonly NamedValue<readonly string[]>[] = [
  ['a word', ['abc']],
  ['no UTF-8', ['%ff']],
  ['no value', ['']],
  ['a negative number', ['-1']],
  ['zero', ['0']],
  ['a number beyond 64 bits', ['99999999999999999999']],
  ['a NUL', ['%00']],
  ['a quote', ["1'%20OR%20'1'%3D'1"]],
  ['two values', ['1', '2']],
  ['brackets', ['[]{}%5B%24ne%5D']],
  ['an emoji', ['%F0%9F%98%80']],
  ['a fraction', ['1.5']],
  ['a broken escape', ['%zz']],
  ['a long value', ['x'.repeat(4000)]],
];

/** The text with a mark of the run, by which the item that it becomes part of is recognized. */
export function withMark(text: string): string {
  return `${text} ${freshText}`;
}
