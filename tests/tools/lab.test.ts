import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { broken } from '../../tools/lab/broken.ts';
import {
  createBehaviour,
  type Deployment,
  openDeployment,
  respond,
  toCall,
} from '../../tools/lab/deployment.ts';
import { toJson } from '../../tools/lab/exact.ts';
import { fair } from '../../tools/lab/fair.ts';
import { misaddressed } from '../../tools/lab/misaddressed.ts';
import { connect, runScript, type ScriptedRequest, send } from '../../tools/lab/request-script.ts';
import { openRewritingProxy } from '../../tools/lab/rewriting-proxy.ts';
import type { Row } from '../../tools/lab/row.ts';
import { sign } from '../../tools/lab/webhook-shop.ts';
import { brokenWebhooks, fairWebhooks } from '../../tools/lab/webhooks.ts';

const noon = Date.UTC(2026, 0, 1, 12);

type Until = (line: string, index: number) => boolean;

/** Settings of a row with a clock that stands still, and what moves it. */
function toOptions({ settings, mutate, prefix, clockOffset = 0 }: Partial<Row>) {
  let time = noon + clockOffset;
  const options = {
    ...(settings && { settings }),
    ...(mutate && { mutate }),
    ...(prefix && { prefix }),
    now: () => time,
  };
  return { options, pass: (seconds: number) => void (time += seconds * 1000) };
}

/** Starts a row, the rewritten ones before the true deployment. */
async function openRow(row: Partial<Row>): Promise<Deployment & { pass: (s: number) => void }> {
  const { options, pass } = toOptions(row);
  const behind = await openDeployment(options);
  if (!row.rewrite) return { ...behind, pass };
  const proxy = await openRewritingProxy(behind.url, row.rewrite);
  const close = async () => {
    await proxy.close();
    await behind.close();
  };
  return { ...proxy, close, pass };
}

async function transcript(row: Partial<Row>, until: Until = () => false): Promise<string[]> {
  const { url, pass, close } = await openRow(row);
  const connection = connect(url);
  return runScript(connection.ask, pass, until).finally(() => {
    connection.close();
    return close();
  });
}

/** The answers of a row before they are sent. */
function answersOf(row: Partial<Row>, until: Until = () => false): Promise<string[]> {
  const { options, pass } = toOptions(row);
  const { behaviour } = createBehaviour(options);
  let number = 0;
  const ask = ({ method = 'GET', path, headers = {}, body = '' }: ScriptedRequest) => {
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const request = { method, url: `/v1${path}`, headers: Object.fromEntries(lower) };
    const call = toCall(request, { number: ++number, text: body, base: '/v1' });
    const date = new Date(options.now());
    const answer = behaviour.answer(call, respond(behaviour, call, date));
    const content = Buffer.from(
      answer.text ?? (answer.body === undefined ? '' : toJson(answer.body)),
    );
    const rawHeaders = Object.entries(answer.headers).flat();
    return { ...answer, early: [], rawHeaders, content };
  };
  return runScript(ask, pass, until);
}

let truth: string[];
let truthBehindProxy: string[];
let trueAnswers: string[];
beforeAll(async () => {
  truth = await transcript({});
  truthBehindProxy = await transcript({ rewrite: [] });
  trueAnswers = await answersOf({});
});

it('has at least 150 broken and 45 fair rows, each with an id of its own', () => {
  const rows = [...broken, ...brokenWebhooks, ...fair, ...fairWebhooks, ...misaddressed];
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(broken.length).toBeGreaterThanOrEqual(150);
  expect(fair.length).toBeGreaterThanOrEqual(45);
});

it('answers the same script the same way twice', async () => {
  expect(await transcript({})).toEqual(truth);
});

it.each([...broken, ...fair.filter(({ looksTrue }) => !looksTrue)])(
  '$id answers otherwise than the true deployment',
  async (row) => {
    let differs = '';
    const otherThan = (expected: readonly string[]) => (line: string, index: number) =>
      line !== expected[index] && Boolean((differs = line));
    if (!row.rewrite) await answersOf(row, otherThan(trueAnswers));
    // A few differ in how they are sent alone.
    if (!differs) await transcript(row, otherThan(row.rewrite ? truthBehindProxy : truth));
    expect(differs).not.toBe('');
  },
);

it.each([...brokenWebhooks, ...fairWebhooks.slice(1)])(
  '$id sends a webhook otherwise than the true shop',
  ({ webhook }) => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ now: noon });
    const body = '{"type":"order.created","data":{"id":"1","quantity":2}}';
    expect(webhook?.(body)).not.toEqual(sign(body));
  },
);

it.each(fair)('$id lists animals for its key', async (row) => {
  const { url, close } = await openRow(row);
  const key = row.keys?.[0]?.split('=').at(-1) ?? 'k-free-1';
  const answer = (await send(url, {
    path: '/pets?limit=3',
    headers: { Authorization: `Bearer ${key}` },
    deadline: 5000,
  })) as {
    status: number;
  };
  await close();
  expect(answer.status).toBe(200);
});
