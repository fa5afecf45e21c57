import { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { expect, it, onTestFinished, vi } from 'vitest';
import { labApps, notes, serveCluster } from './cluster-twin.ts';

/** Reads the lines of a watch until there are so many. */
async function readEvents(
  url: string,
  count: number,
  act: () => Promise<unknown> = async () => {},
) {
  const response = await fetch(url);
  const events: { type: string; object: { kind: string; metadata: { name: string } } }[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await act();
  let text = '';
  while (reader && events.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line)));
  }
  await reader?.cancel();
  return events.map(({ type, object }) => [type, object.metadata.name]);
}

it('streams the changes of what a list shows, from the version on that it had', async () => {
  const { api, send } = await serveCluster();
  await send('POST', notes, { metadata: { name: 'a' } });
  const { json: list } = await send('GET', notes);
  const { resourceVersion } = list.metadata;
  await send('POST', notes, { metadata: { name: 'b' } });
  const url = `${api}${notes}?watch=true`;
  const events = await readEvents(`${url}&resourceVersion=${resourceVersion}`, 3, async () => {
    await send('POST', labApps, { metadata: { name: 'web' } });
    await send('PUT', `${notes}/a`, { metadata: { name: 'a' } });
    await send('DELETE', `${notes}/b`);
  });
  expect(events).toEqual([
    ['ADDED', 'b'],
    ['MODIFIED', 'a'],
    ['DELETED', 'b'],
  ]);
  expect(await readEvents(url, 1)).toEqual([['ADDED', 'a']]);
  const selected = `${api}/api/v1/notes?watch=true&fieldSelector=metadata.name%3Dc`;
  const make = async () => {
    for (const name of ['x', 'c']) await send('POST', notes, { metadata: { name } });
  };
  expect(await readEvents(selected, 1, make)).toEqual([['ADDED', 'c']]);
});

it('watches on where timeoutSeconds is longer than a timer of Node can wait', async () => {
  const { api, send } = await serveCluster();
  const url = `${api}${notes}?watch=true&timeoutSeconds=${2 ** 31}`;
  const events = await readEvents(url, 1, async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await send('POST', notes, { metadata: { name: 'late' } });
  });
  expect(events).toEqual([['ADDED', 'late']]);
});

it('says that a version is too old to watch from', async () => {
  const { api } = await serveCluster();
  expect(await readEvents(`${api}${notes}?watch=true&resourceVersion=1`, 1)).toEqual([
    ['ERROR', undefined],
  ]);
});

it('writes no more than is read, and loses nothing', async () => {
  const { api, send } = await serveCluster();
  const written = vi.spyOn(ServerResponse.prototype, 'write');
  onTestFinished(() => written.mockRestore());
  const response = await fetch(`${api}${notes}?watch=true`);
  const data = { text: 'x'.repeat(900_000) };
  const names = Array.from({ length: 40 }, (_, n) => `n${n}`);
  for (const name of names) await send('POST', notes, { metadata: { name }, data });
  expect(written.mock.calls.length).toBeLessThan(names.length);
  const read: string[] = [];
  const lines = createInterface(Readable.fromWeb(response.body as ReadableStream));
  for await (const line of lines) {
    read.push(JSON.parse(line).object.metadata.name);
    if (read.length === names.length) break;
  }
  expect(read).toEqual(names);
});
