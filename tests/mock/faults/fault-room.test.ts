import { expect, it } from 'vitest';
import { createFaultRules, sizeOfFault } from '../../../mock/faults/fault-rules.ts';
import { serveMock } from '../../support/run-mock.ts';

it('keeps as many faults as the memory of the process has room for, in all sandboxes together', async () => {
  const { stdout } = await serveMock(['--disable-banner'], {
    nodeArgs: ['--max-old-space-size=256'],
  });
  const { origin } = new URL(stdout.trim());
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${origin}/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  // A value of empty lists takes many times the memory of its text.
  const body = `[${Array(21_000).fill('[]').join()}]`;
  const rules = `{"rules":[${Array(15).fill(`{"status":500,"body":${body}}`).join()}]}`;
  const put = (count: number) => send('PUT', `sandboxes/s${count}/__admin/faults`, rules);
  let stored = 0;
  let last = await put(stored);
  // Without a bound, the process ends after about 50.
  while (last.status === 200 && stored < 100) last = await put(++stored);
  expect(stored).toBeGreaterThan(10);
  expect(JSON.parse(last.text)).toMatchObject({
    code: 'out_of_room',
    status: 409,
    message: expect.stringMatching(
      /^The faults of all sandboxes may take \d+ MB, and there is no room left for these\. Delete/,
    ),
  });
  expect((await send('GET', `sandboxes/s${stored}/__admin/faults`)).text).toBe('{"rules":[]}');
  expect((await send('GET', 'sandboxes/s0/__admin/faults/fault-15')).text).toContain(
    `"body":${body}`,
  );

  // What is replaced makes room for what replaces it, and what is deleted for others.
  expect((await put(0)).status).toBe(200);
  expect((await put(stored)).status).toBe(409);
  expect((await send('DELETE', '__admin/sandboxes')).status).toBe(204);
  expect((await put(stored)).status).toBe(200);
});

it('counts rules and headers by more than their texts, and no longer those that were replaced or removed', () => {
  const faults = createFaultRules({ seed: () => 1 });
  const rule = { id: 'a', status: 500, headers: { 'X-A': ['', ''], B: 'b' }, body: '[[]]' };
  const { memory } = sizeOfFault(rule);
  expect(memory).toBeGreaterThan(1024 + 3 * 100);
  faults.replace([rule, { ...rule, id: 'b' }]);
  expect(faults.size()).toEqual({ bodies: 8, memory: 2 * memory });
  faults.put({ ...rule, body: '[]' });
  expect(faults.size()).toEqual({ bodies: 6, memory: 2 * memory - 2 });
  faults.remove('a');
  expect(faults.size()).toEqual({ bodies: 4, memory });
  faults.clear();
  expect(faults.size()).toEqual({ bodies: 0, memory: 0 });
});
