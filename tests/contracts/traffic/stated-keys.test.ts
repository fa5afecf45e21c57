import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { keyNamesOf } from '../../../contracts/description/key-places.ts';
import { createHarWriter } from '../../../contracts/har/har-writer.ts';
import type { RecordedExchange } from '../../../contracts/traffic/recorded-exchange.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { judgeTraffic } from '../../support/traffic.ts';
import { temporaryFolder } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const keys = { query: 'query-key-1234', header: 'header-key-5678', cookie: 'cookie-key-9012' };

/** A document whose operation takes its key in fields that only it knows. */
const load = async () =>
  loadDocument(
    await writeJson(
      toDocument(
        { '/things': { get: { operationId: 'listThings', responses: { 200: jsonOf({}) } } } },
        {
          security: [{ query: [] }, { header: [] }, { cookie: [] }],
          components: {
            securitySchemes: {
              query: { type: 'apiKey', in: 'query', name: 'appid' },
              header: { type: 'apiKey', in: 'header', name: 'X-Shop-Id' },
              cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
            },
          },
        },
      ),
    ),
  );

/** A call with a key in each place, all of which the deployment repeats. */
const called: RecordedExchange = {
  request: {
    method: 'GET',
    url: `http://shop.test/things?appid=${keys.query}&page=2`,
    headers: [
      ['X-Shop-Id', keys.header],
      ['Cookie', `sid=${keys.cookie}`],
    ],
  },
  response: {
    status: 500,
    headers: [['Content-Type', 'application/json']],
    body: { bytes: Buffer.from(JSON.stringify(Object.values(keys))) },
  },
  sentAt: 1000.5,
  endedAt: 1001.5,
};

const leaksIn = (text: string) => Object.values(keys).filter((key) => text.includes(key));

it('shows no keys in the fields that a document gives them', async () => {
  const document = await load();
  const report = await judgeTraffic([called], { document, baseUrl: 'http://shop.test' });
  expect(report).toMatchObject({ targets: [{ requests: 1 }], findings: [{ verdict: 'drift' }] });
  expect(leaksIn(JSON.stringify(report))).toEqual([]);
  expect(report.findings[0]?.curl).toContain('page=2');
});

it('records none of them', async () => {
  const document = await load();
  const file = join(temporaryFolder(), 'calls.har');
  const writer = await createHarWriter(file, { keyNames: keyNamesOf(document.operations) });
  writer.add(called);
  await writer.close();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('page=2');
  expect(leaksIn(text)).toEqual([]);
});
