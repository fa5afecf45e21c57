import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { broken } from '../../tools/lab/broken.ts';
import { type Deployment, openDeployment } from '../../tools/lab/deployment.ts';
import { fair } from '../../tools/lab/fair.ts';
import { misaddressed } from '../../tools/lab/misaddressed.ts';
import { runScript, send } from '../../tools/lab/request-script.ts';
import { openRewritingProxy } from '../../tools/lab/rewriting-proxy.ts';
import type { Row } from '../../tools/lab/row.ts';
import { sign } from '../../tools/lab/webhook-shop.ts';
import { brokenWebhooks, fairWebhooks } from '../../tools/lab/webhooks.ts';
import { everyNth } from '../support/sample.ts';

const noon = Date.UTC(2026, 0, 1, 12);

/** Starts a row with a clock that stands still, the rewritten ones before the true deployment. */
async function openRow(
  row: Partial<Row>,
): Promise<Deployment & { pass: (seconds: number) => void }> {
  const { settings, mutate, prefix, rewrite, clockOffset = 0 } = row;
  let time = noon + clockOffset;
  const pass = (seconds: number) => {
    time += seconds * 1000;
  };
  const behind = await openDeployment({
    ...(settings && { settings }),
    ...(mutate && { mutate }),
    ...(prefix && { prefix }),
    now: () => time,
  });
  if (!rewrite) return { ...behind, pass };
  const proxy = await openRewritingProxy(behind.url, rewrite);
  const close = async () => {
    await proxy.close();
    await behind.close();
  };
  return { ...proxy, close, pass };
}

async function transcript(
  row: Partial<Row>,
  until: (line: string, index: number) => boolean = () => false,
): Promise<string[]> {
  const { url, pass, close } = await openRow(row);
  return runScript(url, pass, until).finally(close);
}

let truth: string[];
let truthBehindProxy: string[];
beforeAll(async () => {
  truth = await transcript({});
  truthBehindProxy = await transcript({ rewrite: [] });
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

it.each(everyNth(10, [...broken, ...fair.filter(({ looksTrue }) => !looksTrue)]))(
  '$id answers otherwise than the true deployment',
  async (row) => {
    const expected = row.rewrite ? truthBehindProxy : truth;
    let differs = '';
    await transcript(row, (line, index) => line !== expected[index] && Boolean((differs = line)));
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

it.each(everyNth(10, fair))('$id lists animals for its key', async (row) => {
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
