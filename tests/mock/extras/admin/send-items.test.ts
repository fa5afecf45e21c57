import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sendItems } from '../../../../mock/extras/admin/data-handlers.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';

const json = toByteText(`{"id":1,"name":"é${'x'.repeat(1000)}"}`);

/** A server that sends items, how many of them it has taken so far, and its latest response. */
async function serveItems(count: number) {
  const seen = { taken: 0, response: undefined as ServerResponse | undefined };
  const items = new Proxy(
    Array.from({ length: count }, () => json),
    {
      get(all, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) seen.taken += 1;
        return Reflect.get(all, name);
      },
    },
  );
  const server = createServer(async (_, response) => {
    seen.response = response;
    await sendItems(response, items, count);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return { seen, port: (server.address() as AddressInfo).port };
}

it('sends all items to a client that reads them', async () => {
  const { port } = await serveItems(1000);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const { items, meta } = JSON.parse(await response.text());
  expect(items).toEqual(Array(1000).fill(JSON.parse(Buffer.from(json, 'latin1').toString())));
  expect(meta).toEqual({ total: 1000 });
});

it('takes no more items than a client reads, and stops when it leaves', async () => {
  const { seen, port } = await serveItems(200_000);
  const client = connect(port, '127.0.0.1');
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => seen.response?.writableNeedDrain, { timeout: 20_000 }).toBe(true);
  // A few megabytes are in buffers of the system; all of it would be 200.
  expect(seen.taken).toBeGreaterThan(0);
  expect(seen.taken).toBeLessThan(50_000);
  client.destroy();
  await expect.poll(() => seen.response?.closed, { timeout: 20_000 }).toBe(true);
  expect(seen.taken).toBeLessThan(50_000);
});
