import { expect, it } from 'vitest';
import { resultOf, verifyWrites } from '../../support/verify-writes.ts';
import {
  answerRightly,
  startWidgets,
  type WidgetAnswer,
  type WidgetCall,
  widgetKey,
  writeWidgets,
} from '../../support/widgets.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

async function verifyWidgets(
  answer?: (call: WidgetCall) => WidgetAnswer,
  options: { deletion?: number; seeds?: number; isOpenBelow?: boolean } = {},
) {
  const started = await startWidgets(answer, options);
  const target = { url: started.url, keys: [widgetKey] };
  const report = await verifyWrites(started.url, await writeWidgets(options), { target, skip });
  const found = report.findings.map(({ verdict, message }) => `${verdict}: ${message}`);
  const verdictOf = (id: string) => resultOf(report, id)?.verdict;
  return { ...started, report, found, verdictOf };
}

it('finds nothing wrong with unique values, versions, and a 400 for what is no JSON', async () => {
  const { found, widgets, report, verdictOf, calls } = await verifyWidgets();
  expect(found).toEqual([]);
  expect([...widgets.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(report.residue).toEqual([]);
  for (const id of ['invalid-body', 'replaced', 'deleted', 'pages', 'true-counts', 'write-only'])
    expect(`${id}: ${verdictOf(id)}`).toBe(`${id}: kept`);
  const replacement = calls.find(({ method, isAllowed }) => method === 'PUT' && isAllowed);
  expect(JSON.parse(replacement?.text ?? '')).toMatchObject({ version: 1 });
  // No clause is about the largest page.
  expect(calls.filter(({ method }) => method === 'POST').length).toBeLessThan(150);
});

it('reports JSON that breaks its schema and is answered with a 400 where 422 is stated', async () => {
  const { found } = await verifyWidgets((call) => {
    const right = answerRightly(call);
    return right.status === 422 ? { status: 400 } : right;
  });
  expect(found).toEqual([expect.stringMatching(/^drift: add answers 400 to an invalid body/)]);
});

it.each([
  ['PUT', 'drift: put answers 200 to a call without a key'],
  ['DELETE', 'drift: remove answers 204 to a call without a key'],
])(
  'reports a %s that needs no key, and changes only what the run created',
  async (method, text) => {
    const { found, widgets, report } = await verifyWidgets((call) =>
      call.method === method ? answerRightly({ ...call, isAllowed: true }) : undefined,
    );
    expect(found).toEqual([text]);
    expect([...widgets.values()].every(({ name }) => /^first \d$/.test(String(name)))).toBe(true);
    expect(widgets.size).toBe(7);
    expect(report.residue).toEqual([]);
  },
);

it('takes an item that is gone after a 202 for deleted, and judges none that is there', async () => {
  const accepts = (isGone: boolean) =>
    verifyWidgets(
      (call) => {
        if (call.method !== 'DELETE' || !call.isAllowed) return undefined;
        const { status } = answerRightly(isGone ? call : { ...call, method: 'GET' });
        return { status: status < 300 ? 202 : status };
      },
      { deletion: 202 },
    );
  const [gone, left] = [await accepts(true), await accepts(false)];
  expect([gone.found, gone.verdictOf('deleted')]).toEqual([[], 'kept']);
  expect([left.found, left.verdictOf('deleted')]).toEqual([[], 'inconclusive']);
});

it('reports what can be read below an item without a key', async () => {
  const { found } = await verifyWidgets(undefined, { isOpenBelow: true });
  expect(found).toEqual(['drift: parts answers 200 to a call without a key']);
});
