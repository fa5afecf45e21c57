import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { itInAll } from '../../support/sample.ts';
import { projectFile } from '../../support/twin.ts';
import { toEntry, toFile } from './samples.ts';

const mebibyte = 1024 * 1024;

itInAll('reads a large HAR within a small heap and little memory', async () => {
  const file = toFile('');
  const size = writeLarge(file, 96 * mebibyte);
  const script = `
    const { readRecordings } = await import(${JSON.stringify(projectFile('contracts/har/read-recordings.ts'))});
    let count = 0;
    let bytes = 0;
    for await (const { response } of readRecordings(${JSON.stringify(file)})) {
      count += 1;
      bytes += response.body.bytes.length;
    }
    console.log(JSON.stringify({ count, bytes, peak: process.resourceUsage().maxRSS * 1024 }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=64',
    '--input-type=module',
    '--eval',
    script,
  ]);
  const { count, bytes, peak } = JSON.parse(stdout);
  expect(count).toBe(size.count);
  expect(bytes).toBe(size.bytes);
  expect(peak).toBeLessThan(300 * mebibyte);
});

/** Writes a HAR of this size, without credentials, some bodies of which are large. */
function writeLarge(file: string, length: number): { count: number; bytes: number } {
  const entryOf = (text: string) => {
    const headers = [{ name: 'accept', value: '*/*' }];
    const content = { size: text.length, mimeType: 'application/json', text };
    return Buffer.from(
      `${JSON.stringify(toEntry({ request: { headers }, response: { content } }))}`,
    );
  };
  const [small, large] = [8 * 1024, 4 * mebibyte].map((of) => entryOf('"\\'.repeat(of / 2)));
  const handle = openSync(file, 'w');
  const total = { count: 0, bytes: 0 };
  let written = writeSync(handle, '{"log":{"entries":[');
  for (let at = 0; written < length; at++) {
    const isLarge = at % 1000 === 999;
    if (at > 0) written += writeSync(handle, ',');
    written += writeSync(handle, (isLarge ? large : small) as Uint8Array);
    total.count += 1;
    total.bytes += isLarge ? 4 * mebibyte : 8 * 1024;
  }
  writeSync(handle, ']}}');
  closeSync(handle);
  return total;
}
