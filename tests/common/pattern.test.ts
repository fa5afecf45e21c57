import { expect, it } from 'vitest';
import { Pattern } from '../../common/pattern.ts';
import { compileAnswer } from '../../contracts/transcript/schema/validator.ts';
import { createSchemaCompiler } from '../../mock/json/validator.ts';
import { compile, type Schema } from '../../openapi/index.ts';

function timed<T>(act: () => T): [result: T, isQuick: boolean] {
  const start = performance.now();
  const result = act();
  return [result, performance.now() - start < 5000];
}

const long = `${'a'.repeat(40)}!`;

it.each([
  ['^(a+)+$', long],
  ['^(\\w+\\s?)*$', long],
  [`^${'a?'.repeat(40)}${'a'.repeat(40)}$`, 'a'.repeat(39)],
  [`${'(a|a)'.repeat(30)}b`, 'a'.repeat(100)],
  ['(x+x+)+y', 'x'.repeat(1_000_000)],
])('says at once that a text does not match %s', (source, text) => {
  expect(timed(() => new Pattern(source).test(text))).toEqual([false, true]);
});

it.each(['^(?=a)(a+)+$', '^(a+)+\\1$', '^(([a-z]{1,20}){1,20}){1,20}$'])(
  'counts a text as matching that only going back can test, for too long: %s',
  (source) => {
    expect(timed(() => new Pattern(source).test(long))).toEqual([true, true]);
  },
);

it('looks ahead in texts of an ordinary length', () => {
  const pattern = new Pattern('^(?=.*[A-Z])(?=.*\\d).{8,}$');
  expect([pattern.test('abcdefgh'), pattern.test('Abcdefg1')]).toEqual([false, true]);
});

const atoms = [
  ...['a', '-', '😀', '\\d', '\\w', '\\D', '\\W', '[a-c]', '[^a]', '[\\s\\S]', '[\\w-]', '[[a]'],
  ...['[\\]a]', '\\.', '\\/', '\\u002e', '[\\u{5d}]', '\\u{1F600}', '\\0', '\\p{L}', '\\P{Lu}'],
  ...['[\\u{1F600}-\\u{1F64F}]', '\\x61', '\\b', '\\B', '\\v', '[$^]', '[a|b]', '(?<name>a)'],
];
/** Lists what only the native engine takes. */
const others = ['[]', '[^]', '\\p{Letter}', '\\p{Script=Greek}', '\\cA', '(?!a)'];
const characters = [
  ...'aA1-é😀\n\r\u2028 \u00a0\ufeff\u3000αΩ_./\t\0|$[]^(\v\f\u0085\u180e\u200b\u0001',
];

it('tests as the native engine does, whichever engine does it', () => {
  const different: string[] = [];
  for (const [at, one] of [...atoms, ...others].entries())
    for (const other of [...atoms.slice(at + 1), '[b-y]']) {
      const inner = `(?:${one})*(?:${other})`;
      for (const source of [`^(?:${one}|${other})*$`, `(?:${inner}?)+$`, `^(?:${inner}){2,}`]) {
        const [pattern, native] = [new Pattern(source), new RegExp(source, 'u')];
        for (let from = 0; from < characters.length; from += 3) {
          const text = characters.slice(from, from + 3).join('');
          if (pattern.test(text) !== native.test(text)) different.push(`${source} ${text}`);
        }
      }
    }
  expect(different).toEqual([]);
});

const schema: Schema = {
  type: 'object',
  properties: { name: { type: 'string', pattern: '^(b+)+$' } },
  patternProperties: { '^(c+)+$': { type: 'integer' } },
};
const document = compile({ openapi: '3.1.0', info: {}, paths: {} });

it.each([
  [{ name: `${'b'.repeat(40)}!` }, 1],
  [{ [`${'c'.repeat(40)}`]: 'any' }, 1],
])('validates at once what is sent and answered, and its names: %o', (value, problems) => {
  const native = globalThis.RegExp;
  const [found, isQuick] = timed(() => [
    compileAnswer(document, schema)(value).length,
    createSchemaCompiler(document)(schema)(value)?.length ?? 0,
  ]);
  expect([found, isQuick]).toEqual([[problems, problems], true]);
  expect(globalThis.RegExp).toBe(native);
});

it.each([
  ['^\\-?[0-9]+$', '-12', 'x'],
  ['^[\\w-.]+\\@x\\_y$', 'a.b-c@x_y', 'a.b-c'],
  ["^\\'{a}\\'$", "'{a}'", "'a'"],
])(
  'reads %s, whose escapes are needless, in the mock and in the suite',
  (pattern, right, wrong) => {
    const schema = { type: 'string', pattern };
    const judge = [
      (value: string) => compileAnswer(document, schema)(value).length,
      (value: string) => createSchemaCompiler(document)(schema)(value)?.length ?? 0,
    ];
    expect(judge.map((count) => [count(right), count(wrong)])).toEqual([
      [0, 1],
      [0, 1],
    ]);
  },
);

it.each(['\\A[a-z]\\Z', '^[[:alpha:]]+$', '^[a-z&&[^b]]$', '^\\-a{,3}$', '(?i)a', '['])(
  'takes %s for none, which another dialect means otherwise',
  (source) => {
    expect(() => new Pattern(source)).toThrow(SyntaxError);
  },
);
