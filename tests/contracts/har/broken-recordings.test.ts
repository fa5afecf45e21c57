import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { describeSkipped } from '../../../contracts/har/skipped-entry.ts';
import { readAll, toEntry, toFile, toHar } from './samples.ts';

it('passes over broken entries by their number, and reads the others', async () => {
  const good = JSON.stringify(toEntry());
  const broken = ['{"request":}', 'null', '[1]', '{}', '{"request":{"method":"G\\x"}}'];
  const file = toFile(`{"log":{"entries":[${[good, ...broken, good].join(',\n')}]}}`);
  const { exchanges, skipped } = await readAll(file);
  expect(exchanges).toHaveLength(2);
  expect(skipped.map(({ entry, problem }) => `${entry} ${problem}`)).toEqual([
    "2 is not valid JSON: unexpected token '}'",
    '3 is no JSON object, but null',
    '4 is no JSON object, but a list',
    '5 has no object "request"',
    '6 is not valid JSON: bad escaped character at character 26',
  ]);
});

it.each([
  [-30, 2, 'was cut in the middle of entry 3'],
  [-3, 3, 'was cut after entry 3: its list has no end'],
])('reads what there is of a file that was cut at %i', async (at, count, problem) => {
  const whole = toHar([toEntry(), toEntry(), toEntry()]);
  const { exchanges, skipped } = await readAll(toFile(whole.slice(0, at)));
  expect(exchanges).toHaveLength(count);
  expect(skipped).toEqual([{ kind: 'cut', problem }]);
});

const mismatch = 'has brackets that do not match, so that what follows entry 2 is not read';

it.each([
  [
    'a quote too many',
    '{"a":"b"c"}',
    1,
    [
      "entry 2 is not valid JSON: expected ',' or '}' after property value at character 9, and nothing after it can be read",
    ],
  ],
  [
    'a brace too many',
    '{"a":1}}',
    2,
    ['entry 2 is not valid JSON: unexpected non-whitespace character after JSON at character 8'],
  ],
  [
    'a brace too few',
    '{"a":{"b":1}',
    1,
    [
      'entry 2 is not valid JSON: expected double-quoted property name at character 14',
      `the file ${mismatch}`,
    ],
  ],
  [
    'a bracket too many',
    '{"a":1}]',
    1,
    ['entry 2 has no object "request"', `the file ${mismatch}`],
  ],
])('calls an entry with %s no cut file', async (_, entry, count, problems) => {
  const good = JSON.stringify(toEntry());
  const file = toFile(`{"log":{"entries":[${[good, entry, good].join(',')}]}}`);
  const { exchanges, skipped } = await readAll(file);
  expect(exchanges).toHaveLength(count);
  expect(skipped.map(({ kind }) => kind)).toEqual(problems.map(() => 'broken'));
  expect(skipped.map((one) => describeSkipped('x', one))).toEqual(
    problems.map((one) => `x: ${one}`),
  );
});

it('quotes nothing of an entry that is not valid JSON, as it may hold keys', async () => {
  const secret = '{"headers":[{"name":"Authorization","value":"Bearer secret" secret}]}';
  const unquoted = '{"value":secret-key}';
  const file = toFile(`{"log":{"entries":[${secret},${unquoted}]}}`);
  const { skipped } = await readAll(file);
  expect(skipped).toHaveLength(2);
  expect(JSON.stringify(skipped)).not.toMatch(/secret/);
});

it.each([
  [
    'cut',
    (har: string) => gzipSync(har).subarray(0, -400),
    { kind: 'cut', problem: expect.stringMatching(/^was cut (?:in the middle of|after) entry/) },
  ],
  [
    'broken',
    (har: string) => {
      const broken = Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(20, 0xff)]);
      return Buffer.concat([gzipSync(har.slice(0, 300_000)), broken]);
    },
    {
      kind: 'broken',
      problem: expect.stringMatching(
        /^cannot be read after entry \d+: cannot be unpacked: it is broken/,
      ),
    },
  ],
])('reads what there is of a gzip file that is %s', async (_, spoil, problem) => {
  const entries = Array.from({ length: 900 }, (_, at) =>
    toEntry({ comment: createHash('sha256').update(String(at)).digest('hex') }),
  );
  const { exchanges, skipped } = await readAll(toFile(spoil(toHar(entries))));
  expect(exchanges.length).toBeGreaterThan(100);
  expect(exchanges.length).toBeLessThan(900);
  expect(skipped).toEqual([problem]);
});

it('passes over an entry that is too long, wherever the chunks of the file end', async () => {
  const long = toEntry({ response: { content: { size: 0, text: 'x"'.repeat(9 * 1024 * 1024) } } });
  const { exchanges, skipped } = await readAll(toFile(toHar([toEntry(), long, toEntry()])));
  expect(exchanges).toHaveLength(2);
  expect(skipped).toEqual([
    { entry: 2, kind: 'too-long', problem: 'is 27 MiB long, and 16 MiB are read' },
  ]);
});
