import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createHarWriter } from '../../../contracts/har/har-writer.ts';
import { readAll, readOne, toEntry, toFile, toHar } from './samples.ts';

it('passes over what is no exchange by its number, and reads the others', async () => {
  const file = toFile(toHar([toEntry(), null, [1], {}, toEntry()]));
  const { exchanges, skipped } = await readAll(file);
  expect(exchanges).toHaveLength(2);
  expect(skipped.map(({ place, problem }) => `${place} ${problem}`)).toEqual([
    'entry 2 is no JSON object',
    'entry 3 is no JSON object',
    'entry 4 has no object "request"',
  ]);
});

it('refuses an archive that is no JSON, and quotes nothing of it, as it may hold keys', async () => {
  const whole = toHar([toEntry(), toEntry()]);
  for (const text of [whole.slice(0, -30), whole.replace('"Bearer demo-free"', 'demo-free')])
    await expect(readAll(toFile(text))).rejects.toThrow(
      /is not valid JSON, or was cut\. Record it again\.$/,
    );
});

/** An archive of ours, which has an entry on each line. */
async function writeOwn(count: number): Promise<string> {
  const file = toFile('');
  const writer = await createHarWriter(file);
  const exchange = await readOne(toEntry());
  for (let at = 0; at < count; at++) {
    const text = createHash('sha256').update(String(at)).digest('hex');
    writer.add({ ...exchange, request: { ...exchange.request, url: `http://host/${text}` } });
  }
  await writer.close();
  return readFileSync(file, 'utf8');
}

it('reads what there is of an archive of ours that was cut or is broken', async () => {
  const whole = await writeOwn(3);
  const cut = await readAll(toFile(whole.slice(0, -40)));
  expect(cut.exchanges).toHaveLength(2);
  expect(cut.skipped).toEqual([
    { kind: 'broken', problem: 'is not valid JSON', place: 'entry 3' },
    { kind: 'broken', problem: 'was cut: its list has no end' },
  ]);
  const broken = await readAll(toFile(whole.replace('"method"', 'method')));
  expect(broken.exchanges).toHaveLength(2);
  expect(broken.skipped).toMatchObject([{ place: 'entry 1' }]);
});

it.each([
  ['cut', (har: string) => gzipSync(har).subarray(0, -4000), 'was cut: its list has no end'],
  [
    'broken',
    (har: string) => {
      const broken = Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(20, 0xff)]);
      return Buffer.concat([gzipSync(har.slice(0, 300_000)), broken]);
    },
    'cannot be read to its end: cannot be unpacked: it is broken (',
  ],
])('reads what there is of a gzip file that is %s', async (_, spoil, problem) => {
  const { exchanges, skipped } = await readAll(toFile(spoil(await writeOwn(900))));
  expect(exchanges.length).toBeGreaterThan(100);
  expect(exchanges.length).toBeLessThan(900);
  expect(skipped.at(-1)?.problem).toContain(problem);
});

it('passes over a line that is too long, and refuses what is too large to read as a whole', async () => {
  const lines = [toEntry(), 'x'.repeat(17 * 1024 * 1024), toEntry()].map((one) =>
    JSON.stringify(one),
  );
  const { exchanges, skipped } = await readAll(toFile(lines.join('\n')));
  expect(exchanges).toHaveLength(2);
  expect(skipped).toEqual([
    { place: 'line 2', kind: 'too-long', problem: 'is longer than 16 MiB' },
  ]);
  const packed = gzipSync(
    Buffer.concat([Buffer.from('{"log":{'), Buffer.alloc(257 * 1024 ** 2, ' ')]),
  );
  await expect(readAll(toFile(packed))).rejects.toThrow('is larger than 256 MiB');
});
