import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveEmpty } from '../../support/serve-document.ts';

const prices = documentOf(`
  GET /prices?region&amount:number -> [Price]
  GET /prices/{region:text}/{sku:text} -> Price, 404
  PUT /prices/{region:text}/{sku:text} Price -> 200 Price, 201 Price
  DELETE /prices/{region:text}/{sku:text} -> 204, 404
  Price: { region, sku, amount: number }
`);

it('keeps what is put at paths with the same last key apart, and lists all of it above', async () => {
  const { send } = await serveEmpty(prices);
  const [eu, us] = ['eu', 'us'].map((region) => ({ region, sku: 'k', amount: 1 }));
  for (const one of [eu, us])
    expect(await send('PUT', `/prices/${one?.region}/k`, one)).toEqual({ status: 201, json: one });
  expect((await send('GET', '/prices')).json).toEqual([eu, us]);
  const dear = { ...us, amount: 2.5 };
  expect(await send('PUT', '/prices/us/k', dear)).toEqual({ status: 200, json: dear });
  expect((await send('GET', '/prices/eu/k')).json).toEqual(eu);
  expect((await send('GET', '/prices?region=us')).json).toEqual([dear]);
  expect((await send('GET', '/prices?amount=2.50')).json).toEqual([dear]);
  expect((await send('DELETE', '/prices/eu/k')).status).toBe(204);
  expect((await send('GET', '/prices')).json).toEqual([dear]);
});

it('creates by a PUT without 404 where nothing else creates', async () => {
  const { send } = await serveEmpty(`
    GET /flags -> [Flag]
    GET /flags/{key:text} -> Flag, 404
    PUT /flags/{key:text} Flag -> Flag
    Flag: { key, on: bool }
  `);
  const flag = { key: 'a', on: true };
  expect(await send('PUT', '/flags/a', flag)).toEqual({ status: 200, json: flag });
  expect((await send('GET', '/flags')).json).toEqual([flag]);
});
