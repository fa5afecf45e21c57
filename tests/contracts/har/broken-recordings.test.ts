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

it('refuses an archive that is too large', async () => {
  const packed = gzipSync(
    Buffer.concat([Buffer.from('{"log":{'), Buffer.alloc(257 * 1024 ** 2, ' ')]),
  );
  await expect(readAll(toFile(packed))).rejects.toThrow('is larger than 256 MiB');
});
