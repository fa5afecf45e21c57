import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSkipped, readRecordings } from '../../../contracts/har/read-recordings.ts';
import { toStoredZip } from '../../support/stored-zip.ts';
import { temporaryFolder } from '../../support/verify-command.ts';

const entry = (content: object) => ({
  startedDateTime: '2026-01-15T12:00:00.000Z',
  time: 1,
  request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
  response: { status: 200, headers: [], content },
});
const har = (...contents: object[]) =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries: contents.map(entry) } });

function write(bytes: Buffer): string {
  const file = join(temporaryFolder(), 'calls.zip');
  writeFileSync(file, bytes);
  return file;
}

async function bodiesOf(file: string): Promise<(string | undefined)[]> {
  const bodies: (string | undefined)[] = [];
  for await (const recording of readRecordings(file)) {
    if (isSkipped(recording)) throw new Error(recording.problem);
    const { response } = recording;
    bodies.push(response && Buffer.from(response.body.bytes).toString());
  }
  return bodies;
}

it('reads the archive in a zip file, and the bodies beside it in the same folder', async () => {
  const file = write(
    toStoredZip({
      'run/calls.har': har(
        { text: '[1]' },
        { _file: 'a.json' },
        { _file: '../b.json' },
        { _file: 'none.json' },
      ),
      'run/a.json': '[2]',
      'b.json': '[3]',
    }),
  );
  const [embedded, beside] = await bodiesOf(file);
  expect([embedded, beside]).toEqual(['[1]', '[2]']);
});

it('never reads a body that lies beside the zip file itself', async () => {
  const file = write(toStoredZip({ 'calls.har': har({ _file: 'secret.txt' }) }));
  writeFileSync(join(file, '..', 'secret.txt'), 'secret');
  expect(await bodiesOf(file)).not.toContain('secret');
});

it.each([
  ['has no archive', toStoredZip({ 'a.txt': 'x' }), 'is a zip file without a .har file in it.'],
  [
    'has two',
    toStoredZip({ 'a.har': har(), 'b.har': har() }),
    'is a zip file with 2 .har files, such as a.har and b.har. Unpack it, and name them.',
  ],
  [
    'was cut',
    toStoredZip({ 'a.har': har({}) }).subarray(0, -30),
    'is a zip file that is broken. Record or pack it again.',
  ],
])('refuses a zip file that %s', async (_, bytes, message) => {
  await expect(bodiesOf(write(bytes))).rejects.toThrow(message);
});

it('says that an archive is broken whose bytes are not those that were packed', async () => {
  const text = har({ text: 'here' });
  const bytes = toStoredZip({ 'a.har': text });
  const central = bytes.lastIndexOf('PK\x01\x02');
  bytes.writeUInt32LE(text.length + 500, central + 24);
  await expect(bodiesOf(write(bytes))).rejects.toThrow('is a zip file that is broken. Record');
});

it('passes over a body that cannot be unpacked', async () => {
  const bytes = toStoredZip({
    'a.har': har({ _file: 'b.json' }, { text: '[1]' }),
    'b.json': '[2]',
  });
  const central = bytes.lastIndexOf('PK\x01\x02');
  bytes.writeUInt16LE(99, central + 10);
  expect((await bodiesOf(write(bytes)))[1]).toBe('[1]');
});

it('says that an archive is packed in a way that nobody unpacks', async () => {
  const bytes = toStoredZip({ 'a.har': har({}) });
  bytes.writeUInt16LE(99, bytes.lastIndexOf('PK\x01\x02') + 10);
  await expect(bodiesOf(write(bytes))).rejects.toThrow(
    'packed by another method than deflate. Unpack it, and name the .har file.',
  );
});
