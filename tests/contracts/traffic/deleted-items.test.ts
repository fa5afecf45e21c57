import { expect, it } from 'vitest';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import { compile } from '../../../openapi/index.ts';
import { tickets } from '../../support/documents.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { judgeTraffic, record } from '../../support/traffic.ts';

const clauses = ['read-back', 'listed-when-created', 'created-as-sent', 'reads-change-nothing'];

/** Describes tickets, whose created items are found again as they were created. */
const document = {
  ...tickets,
  'x-clauses': clauses.map((id) => ({ id, source: '§1', text: 'So it is.' })),
};

/** How much time passes between one call and the next, in milliseconds: longer than any replica needs. */
const apart = 10_000;

it('finds nothing in the traffic of clients that replace, update and delete what they created', async () => {
  const { api } = await serveDocument(document);
  const recorded: RecordedExchange[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const type = `application/${method === 'PATCH' ? 'merge-patch+json' : 'json'}`;
    const headers = body === undefined ? {} : { 'Content-Type': type };
    const exchange = await record(api, { method, path, body, headers });
    const sentAt = Date.UTC(2026, 0, 1) + recorded.length * apart;
    recorded.push({ ...exchange, sentAt, endedAt: sentAt + 5 });
    const text = Buffer.from(exchange.response?.body.bytes ?? []).toString();
    return text === '' ? undefined : JSON.parse(text);
  };
  const ticket = { title: 'Door', state: 'open', pin: '1' };
  const stays = await call('POST', '/tickets', ticket);
  for (let round = 0; round < 4; round += 1) {
    const { id } = await call('POST', '/tickets', ticket);
    await call('DELETE', `/tickets/${id}`);
    await call('GET', `/tickets/${id}`);
  }
  await call('GET', `/tickets/${stays.id}`);
  for (const change of ['PUT', 'PATCH']) {
    const { id } = await call('POST', '/tickets', ticket);
    await call('GET', `/tickets/${id}`);
    await call(change, `/tickets/${id}`, { ...ticket, title: 'Gate' });
    await call('GET', `/tickets/${id}`);
  }
  await call('GET', '/tickets');
  const report = await judgeTraffic(recorded, { baseUrl: api, document: compile(document) });
  expect(report.findings).toEqual([]);
});
