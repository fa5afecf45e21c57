import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { createHarWriter } from '../../../contracts/har/har-writer.ts';
import { isSkipped, readRecordings } from '../../../contracts/har/read-recordings.ts';
import { openProxy } from '../../../contracts/proxy/open-proxy.ts';
import type { Finding } from '../../../contracts/report/events.ts';
import type { GivenKey } from '../../../contracts/traffic/key-book.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import { TrafficJudge } from '../../../contracts/traffic/traffic-judge.ts';
import { compile } from '../../../openapi/index.ts';
import { defaultKeys, openRow, type RowKind } from '../judge.ts';
import type { Row } from '../row.ts';
import { settings } from '../settings.ts';
import { makeTraffic } from './make-traffic.ts';

/** The results for the traffic of one deployment: as it passed the proxy, and in its recording. */
export type TrafficJudgement = {
  id: string;
  kind: RowKind;
  about: string;
  clause: string;
  calls: number;
  passing: GatingFindings;
  recorded: GatingFindings;
};

/** Findings that gate, and whether they are what the row asks for. */
export type GatingFindings = {
  right: boolean;
  drift: Pick<Finding, 'check' | 'message' | 'actual'>[];
};

const document = await compile(builtInDocument);

/** Lets ordinary clients use a row's deployment through the proxy, and judges what passed. */
export async function judgeTraffic(row: Row, kind: RowKind): Promise<TrafficJudgement> {
  const folder = await mkdtemp(join(tmpdir(), 'traffic-lab-'));
  const deployment = await openRow(row, settings.plain, folder);
  try {
    const exchanges = await recordTraffic(deployment.url);
    const file = join(folder, 'traffic.har');
    const keys = (row.keys ?? defaultKeys).map(toKey);
    const tokens = keys.map((key, index) => ({ ...key, name: `token-${index + 1}` }));
    await writeArchive(file, exchanges, tokens);
    const { url: baseUrl } = deployment;
    return {
      id: row.id,
      kind,
      about: row.about,
      clause: row.clause,
      calls: exchanges.length,
      passing: await judge({ row, kind }, exchanges, { baseUrl, keys }),
      // The archive has tokens in the place of keys, and whoever judges it names their plans.
      recorded: await judge({ row, kind }, readArchive(file), {
        baseUrl,
        keys: tokens.map(({ name, ...key }) => ({ ...key, secret: name })),
      }),
    };
  } finally {
    await deployment.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets ordinary clients use a deployment through the proxy, and gives what passed. */
export async function recordTraffic(target: string): Promise<RecordedExchange[]> {
  const exchanges: RecordedExchange[] = [];
  const proxy = await openProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    via: true,
    idleTimeout: 10_000,
    maxBody: 1024 * 1024,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  try {
    await makeTraffic(`${proxy.origin}${new URL(target).pathname}`);
  } finally {
    await proxy.close({ grace: 1000 });
  }
  return exchanges;
}

/** A key as the lab writes it, with its plan or without. */
export const toKey = (given: string): GivenKey => {
  const [plan = '', secret = ''] = given.split('=');
  return secret === '' ? { secret: plan } : { plan, secret };
};

async function writeArchive(
  file: string,
  exchanges: readonly RecordedExchange[],
  keys: readonly { name: string; secret: string }[],
): Promise<void> {
  const writer = await createHarWriter(file, { keys });
  for (const exchange of exchanges) writer.add(exchange);
  await writer.close();
}

async function* readArchive(file: string): AsyncGenerator<RecordedExchange> {
  for await (const recording of readRecordings(file)) if (!isSkipped(recording)) yield recording;
}

async function judge(
  { row, kind }: { row: Row; kind: RowKind },
  exchanges: Iterable<RecordedExchange> | AsyncIterable<RecordedExchange>,
  { baseUrl, keys }: { baseUrl: string; keys: GivenKey[] },
): Promise<GatingFindings> {
  const traffic = new TrafficJudge({ document, baseUrl, keys });
  for await (const exchange of exchanges) await traffic.add(exchange);
  const { findings } = await traffic.report();
  const drift = findings
    .filter(({ verdict }) => verdict === 'drift' || verdict === 'unanswered')
    .map(({ check, message, actual }) => ({ check, message, actual }));
  const right =
    kind === 'fair'
      ? drift.length === 0
      : drift.length > 0 && drift.every(({ check }) => row.only?.includes(check) ?? true);
  return { right, drift };
}
