import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readAll, toEntry, toFile, toHar } from './samples.ts';

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

it('reads what there is of JSON Lines in a gzip file that is cut or broken', async () => {
  const text = (at: number) => createHash('sha256').update(String(at)).digest('hex');
  const line = (at: number) =>
    JSON.stringify(toEntry({ request: { url: `http://host/${text(at)}` } }));
  const lines = Array.from({ length: 900 }, (_, at) => line(at)).join('\n');
  const noise = Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(20, 0xff)]);
  const cut = await readAll(toFile(gzipSync(lines).subarray(0, -4000)));
  const broken = await readAll(toFile(Buffer.concat([gzipSync(lines.slice(0, 300_000)), noise])));
  for (const { exchanges } of [cut, broken]) {
    expect(exchanges.length).toBeGreaterThan(100);
    expect(exchanges.length).toBeLessThan(900);
  }
  expect(cut.skipped.at(-1)?.problem).toBe('is not valid JSON');
  expect(broken.skipped.at(-1)?.problem).toContain(
    'cannot be read to its end: cannot be unpacked: it is broken (',
  );
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
