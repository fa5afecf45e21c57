import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../../common/secrets/coded.ts';
import { createRedactor } from '../../../common/secrets/texts.ts';

const units = (text: string) => text.split('').map((char) => char.charCodeAt(0));

const codings: Record<string, (text: string) => string> = {
  percent: (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
  url: encodeURIComponent,
  json: (text) => JSON.stringify(text).slice(1, -1),
  jsonOfMember: (text) => JSON.stringify({ a: text }),
  jsonByNumber: (text) =>
    units(text)
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  html: (text) => text.replace(/[&<>"']/g, (char) => `&#0${char.charCodeAt(0)};`),
  htmlByNumber: (text) => [...text].map((char) => `&#${char.codePointAt(0)};`).join(''),
  htmlWithoutEnd: (text) => [...text].map((char) => `&#${char.codePointAt(0)}`).join(''),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64Within: (text) => Buffer.from(`user:${text}!`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
};

/** All texts that a text may stand for, a coding at a time. */
function decoded(text: string, depth = 4): string[] {
  if (depth === 0) return [text];
  const html = text.replaceAll(/&#(\d+);?/g, (_, code) => String.fromCodePoint(Number(code)));
  const json = text.replaceAll(/\\u([\da-f]{4})|\\(.)/g, (_, hex, char) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : char,
  );
  const url = Buffer.from(
    text.replaceAll(/%([\da-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
  const packed = [...text.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) => [
    Buffer.from(run, 'base64').toString(),
    Buffer.from(run, 'hex').toString(),
  ]);
  const others = [html, json, url, ...packed].filter((one) => one !== text && one !== '');
  return [text, ...others.flatMap((one) => decoded(one, depth - 1))];
}

it('hides a secret in codings within each other', () => {
  const secrets = fc.oneof(
    fc.stringMatching(/^[!-~]{7,29}[a-z\d]$/),
    fc.constant('pa&ss\'"wörd-🐕\\1'),
  );
  fc.assert(
    fc.property(
      secrets,
      fc.array(fc.constantFrom(...Object.keys(codings)), { minLength: 1, maxLength: 3 }),
      (secret, names) => {
        const coded = names.reduce((text, name) => codings[name]?.(text) ?? text, secret);
        const shown = createRedactor([secret])(`before ${coded} behind`);
        expect(shown).toMatch(/^before .*\$KEY.* behind$/s);
        expect(decoded(shown).filter((text) => text.includes(secret))).toEqual([]);
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});

it.each([
  ['percent twice', 'a%252Dkey%252D1 x', '$KEY x'],
  ['base64 of base64', 'got WVMxclpYa3RNUT09.', 'got $KEY09.'],
  [
    'JSON in JSON in JSON',
    String.raw`{"a":"{\"b\":\"{\\\"c\\\":\\\"a\\u002dkey-1\\\"}\"}"}`,
    String.raw`{"a":"{\"b\":\"{\\\"c\\\":\\\"$KEY\\\"}\"}"}`,
  ],
])('leaves what stands around it: %s', (_, text, shown) => {
  expect(createRedactor(['a-key-1'])(text)).toBe(shown);
});

it('changes no text without the secret', () => {
  const redact = createRedactor(['sk-live-0123456789']);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(redact(text)).toBe(text);
    }),
  );
});

it('hides what it has no time to look at', () => {
  const secret = 'a-key-1';
  const find = createFinder([{ secret, standsAlone: false }], (length) => length);
  const text = 'a%252Dkey%252D1';
  expect(find(text)).toEqual([{ secret, start: 0, end: text.length }]);
  expect(find('nothing')).toEqual([]);
});

it('finds what is coded twice behind megabytes that are coded', () => {
  const coded = btoa(btoa('my sk-live-0123456789'));
  const junk = randomBytes(1_000_000).toString('base64');
  expect(createRedactor(['sk-live-0123456789'])(`${junk} ${coded}`)).not.toContain(coded);
});

describe('texts made to take long are decoded within bounds', () => {
  const many = 300_000;
  it.each([
    ['percent signs', '%25'.repeat(many)],
    ['backslashes', '\\'.repeat(many)],
    ['base64', 'QUFB'.repeat(many)],
    ['many runs', 'QUFBQUFBQUFBQUFBQUFBQUFB '.repeat(many / 10)],
    ['base64 of base64', [1, 2, 3, 4, 5].reduce((text) => btoa(text), 'a'.repeat(100_000))],
    ['hex', '61'.repeat(many)],
    ['references', '&#38;'.repeat(many)],
  ])('%s', { timeout: 8000 }, (_, text) => {
    expect(createRedactor(['sk-live-0123456789'])(text)).toBe(text);
  });
});
