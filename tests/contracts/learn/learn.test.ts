import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { runCommand as fidelity } from '../../../contracts/fidelity/command.ts';
import { runCommand as learn } from '../../../contracts/learn/command.ts';
import { capture } from '../../support/capture.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { recordOrders } from '../../support/order-service.ts';
import { projectFile } from '../../support/twin.ts';

const base = ['--base-url', 'https://orders.example.com/v1'];
const document = ['--spec', projectFile('examples/learn/orders.yaml')];
const recording = (number: number) => projectFile(`examples/learn/orders-${number}.har`);
const out = () => join(makeFolder(), 'learned.overlay.yaml');

type Action = { target: string; update: Record<string, unknown> };

const run = (command: typeof learn, args: readonly string[]) =>
  capture(() => command([...args, ...base, ...document], { env: {}, command: 'x' }));

it('has recordings of the service in the examples', () => {
  for (const number of [1, 2, 3])
    expect(readFileSync(recording(number), 'utf8')).toBe(recordOrders(number));
});

it('learns of recordings what makes another one alike', async () => {
  const file = out();
  writeFileSync(file, '# Mine');
  const learned = await run(learn, [recording(1), recording(2), '--out', file]);
  expect(learned).toMatchObject({ code: 0, err: '' });
  expect(learned.out).toContain(`What was there is in ${file}.before.`);
  expect(readFileSync(`${file}.before`, 'utf8')).toBe('# Mine');
  expect(learned.out).toMatch(
    /^Wrote .*: 2\d lines \(\d+ high, \d+ medium\)\. Start the mock with/,
  );
  const { actions } = load(readFileSync(file, 'utf8')) as { actions: Action[] };
  const hints = Object.fromEntries(actions.map(({ target, update }) => [target, update]));
  expect(hints["$.paths['/orders/{order}/finalize'].post"]).toEqual({
    'x-twin': {
      sets: { status: 'open' },
      refuses: [
        {
          when: { 'item.status': ['open'] },
          status: 409,
          body: { error: { code: 'order_not_draft', message: 'The order is open.' } },
        },
      ],
    },
  });
  expect(hints["$.paths['/customers/{customer}/orders'].post"]).toMatchObject({
    'x-twin': {
      values: { title: 'Order of {parent.name}', total: '{sum(lines.amount)}', note: null },
    },
  });
  expect(hints.$?.['x-twin']).toMatchObject({
    counts: [{ in: '/customers', member: 'orders_count', of: '/customers/{customer}/orders' }],
  });
  expect(hints["$.paths['/customers'].get"]).toEqual({ 'x-twin': { order: 'newest-first' } });
  expect(hints["$.paths['/customers'].post"]?.['x-twin']).toMatchObject({
    unique: ['email'],
    newId: expect.stringMatching(/^cus_0+$/),
  });
  const alone = await run(fidelity, [recording(3), '--json', '-']);
  const whole = await run(fidelity, [
    recording(3),
    '--overlay',
    file,
    '--min',
    '100',
    '--json',
    '-',
  ]);
  expect(JSON.parse(alone.out).percent).toBeLessThan(20);
  expect(JSON.parse(whole.out)).toMatchObject({ percent: 100, answers: 25, alike: 25 });
  expect(whole.code).toBe(0);
}, 60_000);

it('gives each line its evidence, and keeps nothing of persons or keys', async () => {
  const file = out();
  await run(learn, [recording(1), recording(2), '--out', file]);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('# counts (/customers orders_count): high, seen 6 of 6 times, in ');
  expect(text).not.toMatch(/Ada|Cleo|mail\.test|sk_live|door/);
}, 60_000);

it('reports the share that is alike on recordings that it did not learn from', async () => {
  const files = [1, 2, 3].map(recording);
  const ran = await run(fidelity, [...files, '--holdout', '0.3']);
  expect(ran.out).toMatch(
    /^fidelity 100 %: 25 of 25 answers alike, of Orders 1\.0\.0\nwith the document alone \d/,
  );
}, 60_000);

it('names differences with the first call, and fails below a minimum', async () => {
  const file = out();
  const ran = await run(fidelity, [recording(1), '--min', '50', '--html', file]);
  expect(ran.code).toBe(1);
  expect(ran.out).toContain('- GET /orders/{order}: missing member at /title, 5 answers');
  expect(ran.out).toContain('GET /orders/ord_Y7UemmozMOMpGq\n  recorded: (hidden)\n');
  expect(ran.out).toContain('See `values` of x-twin for new items, `sets` for changed ones.');
  expect(readFileSync(file, 'utf8')).toContain('<h1>Fidelity');
}, 60_000);

it.each([
  [learn, [], 'Name a recording, such as calls.har. See --help.'],
  [fidelity, [], 'Name a recording, such as calls.har. See --help.'],
  [fidelity, [recording(1), '--holdout', '0.3'], '--holdout needs two recordings or more'],
  [fidelity, [recording(1), '--holdout', '2'], 'a number between 0 and 1, such as 0.3'],
  [
    learn,
    [recording(1), '--out', recording(1)],
    'is a file that is read, and would be lost. Name another one.',
  ],
])('refuses wrong command lines with a sentence', async (command, args, message) => {
  const ran = await run(command, args);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(message);
});

it.each([learn, fidelity])(
  'says that a recording has no call of the deployment',
  async (command) => {
    const file = join(makeFolder(), 'other.har');
    writeFileSync(file, recordOrders(1).replaceAll('orders.example.com', 'other.example.com'));
    const ran = await run(command, [file, ...(command === learn ? ['--out', out()] : [])]);
    expect(ran.err).toContain('No answer of https://orders.example.com/v1 was recorded.');
    writeFileSync(file, recordOrders(1).replaceAll('com/v1/', 'com/v1/other-'));
    const strange = await run(command, [file, ...(command === learn ? ['--out', out()] : [])]);
    expect(strange.err).toContain('is an operation of Orders. Name the document of the service');
  },
  60_000,
);
