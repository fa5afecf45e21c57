import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parseJson } from '../../../common/json.ts';
import { type Check, shown } from '../../../contracts/clauses/check.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { whyNotAllJudged } from '../../../contracts/judging/judge-response.ts';
import { decode, TooLarge } from '../../../contracts/run/http/decode.ts';
import { createPatience } from '../../../contracts/run/keys/key-ring.ts';
import { createBodyStore, readBody } from '../../../contracts/transcript/body.ts';
import { idOf, textOf, toSegment } from '../../../contracts/transcript/items.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import { listedTranscript } from '../../support/listed-transcript.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

function transcriptOf(bodies: readonly string[]): Promise<Transcript> {
  return listedTranscript(bodies.map((body) => ({ status: 200, body })));
}

it('undoes a content coding up to a size', async () => {
  expect(Buffer.from(await decode(gzipSync('text'), 'GZIP', 100)).toString()).toBe('text');
  expect(await decode(bytes('text'), 'identity', 2)).toEqual(bytes('text'));
  await expect(decode(gzipSync('a'.repeat(101)), 'gzip', 100)).rejects.toThrow(TooLarge);
  await expect(decode(bytes('text'), 'br', 100)).rejects.not.toThrow(TooLarge);
});

it('keeps equal bodies once, and of large ones beyond its room the beginnings alone', () => {
  const read = createBodyStore({ max: 40_000 });
  const large = JSON.stringify(['x'.repeat(30_000)]);
  const first = read(bytes(large));
  expect(read(bytes(large)).json).toBe(first.json);
  const beyond = read(bytes(JSON.stringify(['y'.repeat(40_000)])));
  expect(beyond).toMatchObject({
    size: 40_004,
    json: undefined,
    unjudged: expect.stringContaining('that is used up'),
  });
  expect(beyond.text).toHaveLength(2000);
  expect(read(bytes('["small"]')).json).toEqual(['small']);
});

it.each([
  [nested(501), 'JSON nested more than 500 levels deep'],
  [`\ufeff${nested(100_000)}`, 'JSON nested more than 500 levels deep'],
  [
    `{${Array.from({ length: 5001 }, (_, index) => `"f${index}":1`)}}`,
    'JSON with an object of more than 5000 members',
  ],
])('keeps the beginning of JSON that is too much to judge, and why: %.20s', (text, tooLarge) => {
  const body = readBody(bytes(text));
  expect(body).toMatchObject({
    size: bytes(text).length,
    json: undefined,
    tooLarge,
    unjudged: `${tooLarge} is not read`,
  });
  expect(body.text.length).toBeLessThan(2001);
});

it.each([
  ['braces', `<!doctype html>${'{'.repeat(501)}`],
  ['what is never closed', '['.repeat(4_000_000)],
])('reads what cannot be JSON whatever stands in it: %s', (_, text) => {
  const body = readBody(bytes(text));
  expect(body).toMatchObject({ text, json: undefined });
  expect([body.unjudged, body.tooLarge]).toEqual([undefined, undefined]);
});

it('waits no longer in all than it may, and side by side once', () => {
  let time = 0;
  const { allow } = createPatience(100, () => time);
  expect([allow(60), allow(60), allow(50)]).toEqual([true, true, true]);
  time = 60;
  expect([allow(41), allow(40)]).toEqual([false, true]);
});

it('takes texts and numbers for ids, and nothing that cannot become a text or a path', () => {
  const ids = [
    '"7"',
    '7',
    '12345678901234567890',
    'true',
    'null',
    '[]',
    '{"toString":1,"valueOf":1}',
  ];
  expect(ids.map((id) => idOf(parseJson(`{"id":${id}}`), 'id'))).toEqual([
    ...['7', '7', '12345678901234567890'],
    ...Array.from({ length: 4 }, () => undefined),
  ]);
  expect([
    idOf(null, 'id'),
    idOf([], 'id'),
    idOf({ id: 'x'.repeat(1001) }, 'id'),
    textOf({ toString: 1 }),
  ]).toEqual([...Array.from({ length: 4 }, () => undefined)]);
  expect(['a b/é', 7n, '', '.', '..', '\ud800', 'x'.repeat(501), {}].map(toSegment)).toEqual([
    ...['a%20b%2F%C3%A9', '7'],
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

it('shows the beginning of a value without writing all of it', () => {
  const nested = parseJson(`${'['.repeat(400)}${']'.repeat(400)}`);
  expect(shown(nested)).toBe(`${'['.repeat(117)}...`);
  expect(shown({ a: 'x'.repeat(1e6) })).toBe(`{"a":"${'x'.repeat(111)}...`);
  expect(shown(Array.from({ length: 1e6 }, () => 7))).toHaveLength(120);
  expect(shown({ a: [1, { b: null }], c: 2n ** 63n })).toBe(
    '{"a":[1,{"b":null}],"c":9223372036854775808}',
  );
});

it('says which answers were judged in part', async () => {
  const list = (length: number, from = 0) =>
    JSON.stringify(Array.from({ length }, (_, index) => ({ id: from + index })));
  const deep = nested(600);
  expect(whyNotAllJudged(await transcriptOf([list(20), list(201), deep]))).toEqual([
    'target: the body of 1 answer was not judged, as JSON nested more than 500 levels deep is not read',
    'target: of 1 list only the first 200 items were judged, as it has 201',
  ]);
  expect(whyNotAllJudged(await transcriptOf([deep, list(201), list(6000), deep]))).toEqual([
    'target: the bodies of 2 answers were not judged, as JSON nested more than 500 levels deep is not read',
    'target: of 2 lists only the first 200 items were judged, as they have up to 6000',
  ]);
});

it('leaves a check that fails inconclusive, and judges the others', async () => {
  const transcript = await transcriptOf(['[]']);
  const [exchange] = transcript.exchanges;
  const check = (id: string, body: Check['judge']): Check => ({
    id,
    clause: { basis: 'stated', source: '§1', text: 'Something holds.' },
    needs: 'the clause itself',
    unheld: 'nothing to hold',
    judge: body,
  });
  const all = [
    check('fails', () => {
      throw new TypeError('it broke');
    }),
    check('holds', (_, { hold }) =>
      hold(true, exchange as never, () => ({ message: '', expected: '', actual: '' })),
    ),
  ];
  const { results, defects } = judge(transcript, all);
  expect(results.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'kept']);
  expect(defects).toEqual([
    {
      message: 'the check fails failed (it broke)',
      stack: expect.stringMatching(/it broke\n +at /),
    },
  ]);
});

it('ends with 2 and one sentence where the suite itself breaks outside of all that catches', async () => {
  const folder = makeFolder();
  const file = join(folder, 'crash.mjs');
  const crash = pathToFileURL(projectFile('common/cli/exit-on-crash.ts')).href;
  writeFileSync(
    file,
    `import { exitOnCrash } from '${crash}'; exitOnCrash('verify'); setTimeout(() => null.x); setInterval(() => {}, 1e6);`,
  );
  const child = spawn(process.execPath, [file]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(2);
  expect(said).toBe(
    "verify: failed, which is a bug in the suite: Cannot read properties of null (reading 'x')\n",
  );
});
