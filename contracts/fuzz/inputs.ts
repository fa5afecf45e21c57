import type { Arbitrary } from 'fast-check';
import type { Api, Parameter } from '../../openapi/index.ts';
import { isOtherwiseDescribed } from '../../openapi/model/operation.ts';
import { freshText } from '../cases/fresh-value.ts';
import { hasPlaceholder } from '../cases/placeholders.ts';
import { createValid, type FastCheck } from './arbitraries.ts';
import {
  type Change,
  type Input,
  inputOf,
  interleave,
  type Place,
  type Subject,
} from './subject.ts';
import { isOfNumber, isOfText, type NamedValue, triedValues } from './values.ts';

/** How many things a random input changes at most. */
const maxChanges = 4;

/** Inputs of an operation that each differ from a plain call in one thing, the most telling first. */
export function singleInputs(document: Api, subject: Subject): Input[] {
  const { operation, does, body, parameters } = subject;
  const ofParameters = parameters
    .filter((one) => !isOtherwiseDescribed(one))
    .map((one) => inputsOfParameter(subject, one));
  const ofPlaces = (body?.places ?? []).map((place) => inputsOfPlace(document, place));
  const ofBody = body
    ? [
        naughtyBodies.map(([what, text]) => inputOf(what, { in: 'text', text })),
        naughtyTypes.map(([mediaType, text]) =>
          inputOf(`a body sent as ${mediaType || 'no media type'}`, {
            ...{ in: 'type', mediaType },
            ...(text !== undefined && { text }),
          } as Change),
        ),
      ]
    : [];
  const typed = naughtyTypes
    .filter(([mediaType]) => !body && does === 'read' && mediaType !== '')
    .map(([mediaType]) =>
      inputOf(`Content-Type: ${mediaType}`, {
        in: 'header',
        name: 'Content-Type',
        text: mediaType,
      }),
    );
  const accepts = naughtyAccepts.map((text) =>
    inputOf(`Accept: ${text}`, { in: 'header', name: 'Accept', text }),
  );
  const credentials = (['none', 'unknown', 'empty', 'scheme-only'] as const).map((form) =>
    inputOf(`credential ${form}`, { in: 'credential', form }),
  );
  const methods = does === 'read' ? ['TRACE', 'QUERY', 'HEAD'] : [];
  const ofMethods = methods
    .filter((method) => method !== operation.method)
    .map((method) => inputOf(method, { in: 'method', method }));
  return interleave([
    ...ofPlaces,
    ...ofParameters,
    ...ofBody,
    operation.waysIn.length > 0 ? credentials : [],
    interleave([accepts, typed, ofMethods]),
  ]);
}

function inputsOfPlace(document: Api, { at, schema, isMark }: Place): Input[] {
  const name = at.join('.');
  const resolved = document.schemas.resolve(schema);
  const toInput = (what: string, value: unknown) =>
    inputOf(`${name}: ${what}`, { in: 'body', at, value });
  // Without its mark, an item that is made could not be deleted.
  const tried = triedValues(document, schema).filter(
    ({ value, isValid }) => !isMark || !isValid || isLongText(value),
  );
  const texts = naughtyTexts.map(([what, text]) =>
    toInput(what, isMark && text !== '' ? withMark(text) : text),
  );
  const numbers = naughtyNumbers.map((json) =>
    inputOf(`${name}: ${json.slice(0, 24)}`, { in: 'body', at, json }),
  );
  const twice = inputOf(`${name} twice`, {
    ...{ in: 'body', at },
    json: `"first",${JSON.stringify(at.at(-1))}:"${isMark ? withMark('second') : 'second'}"`,
  } as Change);
  return interleave([
    [
      ...tried.map(({ what, value }) =>
        toInput(what, isMark && isLongText(value) ? marked(value) : value),
      ),
      twice,
    ],
    [inputOf(`no ${name}`, { in: 'body', at, isRemoved: true })],
    isOfText(resolved) ? texts : texts.slice(0, 3),
    isOfNumber(resolved) ? numbers : numbers.slice(0, 2),
  ]);
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 12;
}

/** A text as long as before, whose end is the mark of the run. */
function marked(text: string): string {
  return `${text.slice(12)}{{run}}{{fresh}}`;
}

/** Another value of a parameter; a path is changed only where the call reads. */
function inputsOfParameter({ does }: Subject, { name, in: place }: Parameter): Input[] {
  const named = (what: string) => `${place} ${name}: ${what}`;
  if (place === 'path')
    return does === 'read'
      ? naughtySegments.map(([what, text]) => inputOf(named(what), { in: 'path', name, text }))
      : [];
  if (place === 'query')
    return naughtyQueries.map(([what, texts]) =>
      inputOf(named(what), { in: 'query', name, texts }),
    );
  if (place === 'header')
    return naughtyHeaders.map(([what, text]) => inputOf(named(what), { in: 'header', name, text }));
  return [];
}

/** Creates the arbitrary of inputs that differ from a plain call in several things. */
export function createRandomInput(
  fc: FastCheck,
  document: Api,
  subject: Subject,
): Arbitrary<Input> | undefined {
  const valid = createValid(fc, document);
  const singles = singleInputs(document, subject).flatMap(({ what, changes: [change] }) =>
    change?.in === 'body' || change?.in === 'query' || change?.in === 'header'
      ? [{ what, change }]
      : [],
  );
  // An item that is created keeps its mark.
  const places = (subject.body?.places ?? []).filter(
    ({ isMark, at }) => !isMark && !hasPlaceholder(at.join('.')),
  );
  const free = places.map(({ at, schema }) =>
    valid(schema).map((value) => ({
      what: at.join('.'),
      change: { in: 'body', at, value } as Change,
    })),
  );
  const ofSingles = singles.length > 0 ? [fc.constantFrom(...singles)] : [];
  const each = [...free, ...ofSingles];
  if (each.length === 0) return undefined;
  return fc.array(fc.oneof(...each), { minLength: 1, maxLength: maxChanges }).map((all) => ({
    what: `random: ${all.map(({ what }) => what).join(', ')}`,
    changes: all.map(({ change }) => change),
  }));
}

/** Texts that servers stumble over, of the kinds of the Big List of Naughty Strings. */
const naughtyTexts: readonly NamedValue<string>[] = [
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
const naughtyNumbers: readonly string[] = [
  ...['-1', '0', '1e400', '9007199254740993', '9223372036854775808', '-2147483649', '1.5'],
  ...['-0', '007', '1e-400', '99999999999999999999999999999999', 'NaN'],
];

/** Segments of paths, as they are sent. None is a dot segment, which a client would resolve. */
const naughtySegments: readonly NamedValue<string>[] = [
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
const naughtyBodies: readonly NamedValue<string>[] = [
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
const naughtyTypes: readonly (readonly [mediaType: string, body?: string])[] = [
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
const naughtyAccepts = ['application/xml', 'text/html', 'nonsense', 'application/json;q=a'];

/** Values of headers that a client can send. */
const naughtyHeaders: readonly NamedValue<string>[] = [
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
const naughtyQueries: readonly NamedValue<readonly string[]>[] = [
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
function withMark(text: string): string {
  return `${text} ${freshText}`;
}
