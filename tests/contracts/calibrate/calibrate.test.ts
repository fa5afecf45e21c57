import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { expect, it, onTestFinished } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { createTwin } from '../../../package/twin.ts';
import { calibrateDeployment, runCalibrate } from '../../support/calibrate-command.ts';
import { bearer } from '../../support/twin.ts';
import { rowOf } from '../../support/verify-deployment.ts';
import { writeJson } from '../../support/write-json.ts';

/** Calibrates a deployment of the lab that ends with the test. */
function calibrateRow(id: string, ...more: string[]) {
  return calibrateDeployment(rowOf(id), { more });
}

it('pins what a deployment does, with what shows it, so that the twin does the same', async () => {
  const { url, code, out, file, text, pins } = await calibrateRow('fair-like-fastapi');
  expect(code).toBe(0);
  expect(out).toMatch(/^ {2}unknown-query-parameter +ignored \(3 times, high\)$/m);
  expect(out).toMatch(/^ {2}body-size +bodies of up to 1048577 bytes are not called too large$/m);
  expect(text).not.toContain('k-pro-1');
  expect(pins['limit-out-of-range']).toMatchObject({
    answer: { status: 422, json: { detail: [{ type: 'int_parsing' }] } },
    confidence: 'high',
  });
  expect(pins['limit-out-of-range']?.evidence[0]).toMatch(
    /^GET \/pets\?limit=0: 422, \{detail: array\} \(\d+ times?, last at 20\d\d-[-\d]+T[:\d]+Z\)$/,
  );
  expect(pins['head-and-options']?.answer).toMatchObject({ head: { status: 405 }, cors: 'none' });
  const twin = await createTwin({ pins: file });
  onTestFinished(() => twin.close());
  for (const path of ['/pets?limit=0', '/pets/abc', '/nothing']) {
    const there = await fetch(url + path, { headers: bearer('k-business') });
    const here = await fetch(twin.url + path, { headers: bearer('demo-free') });
    expect([path, here.status, await here.json()]).toEqual([
      path,
      there.status,
      await there.json(),
    ]);
  }
}, 120_000);

it('pins how large a body and how long a name may be, as far as it was tried', async () => {
  const { pins } = await calibrateDeployment({
    mutate: (truth) => ({
      refuse: (sent, call) =>
        truth.refuse(sent, call) ??
        (String((sent as { name?: unknown }).name).length > 77 ? 'Too long.' : undefined),
      answer: (call, answer) =>
        call.text.length > 102_400
          ? { ...answer, status: 413, body: { code: 'large', message: 'Too large.', status: 413n } }
          : answer,
    }),
  });
  expect(pins['body-size']?.answer).toMatchObject({ max: 16_384, answer: { status: 413 } });
  expect(pins['unusual-name']?.answer).toMatchObject({ max: 64, tooLong: { status: 400 } });
}, 120_000);

it('pins nothing where a stated clause is broken, and says so', async () => {
  const { code, out, pins } = await calibrateRow('error-unknown-key-403', '--read-only');
  expect(code).toBe(1);
  expect(out).toMatch(/Failed clauses, \d+; nothing is recorded for them.*\n {2}[a-z-]+ +\w+/);
  expect(pins['unknown-query-parameter']?.answer).toBe('ignored');
}, 120_000);

it('pins nothing that varies, and creates nothing where that is not allowed', async () => {
  const { out, pins } = await calibrateRow('fair-any-order', '--read-only');
  expect(pins).not.toHaveProperty('list-order');
  expect(pins).not.toHaveProperty('default-status');
  expect(out).toMatch(/list-order +the lists have no order that the mock could follow/);
  expect(out).toMatch(
    /^Nothing was created, so the behaviour of creates is not recorded\. Run without --read-only\.$/m,
  );
  expect(out).toMatch(/^ {2}new-id +it needs a create; run without --read-only$/m);
  expect(out).toMatch(/^ {2}events +no answer shows it$/m);
}, 120_000);

it('creates nothing on loopback by another document, unless that is allowed', async () => {
  const spec = await writeJson(load(await readFile(builtInDocument, 'utf8')));
  const { out } = await calibrateRow('fair-any-order', '--spec', spec, '--no-probe-limits');
  expect(out).toMatch(/^Nothing was created, .* Run with --allow-writes\.$/m);
}, 120_000);

it('pins values of payloads only where that is asked for', async () => {
  const shape = await calibrateRow('fair-orders-object', '--read-only');
  const example = await calibrateRow('fair-true', '--read-only', '--with-examples');
  expect(shape.pins['orders-payload']?.answer).toEqual({
    status: 200,
    json: { orders: [], total: 0, next: null },
  });
  expect(example.pins['orders-payload']?.answer).toEqual({
    status: 200,
    json: [{ id: 1, petId: 1, quantity: 1 }],
  });
}, 120_000);

it.each([
  [[], 'Name the deployment to ask: --target URL. See --help.'],
  [['--target', 'http://127.0.0.1:1/v1'], 'A target needs a key.'],
  [['--read-only', '--allow-writes'], '--read-only and --allow-writes are opposites.'],
  [
    ['--target', 'http://127.0.0.1:1/v1', '--key', 'fre=k'],
    'A --key has an unknown plan before its =.',
  ],
  [['--target', 'http://127.0.0.1:1/v1', '--key', 'k'], 'cannot be reached'],
])('says in one line what is missing in %j', async (args, says) => {
  const { code, err } = await runCalibrate(args);
  expect(code).toBe(2);
  expect(err).toMatch(/^petstore-twin calibrate: [^\n]+\n$/);
  expect(err).toContain(says);
});

it('says before it asks anything that the pins cannot be written', async () => {
  const nowhere = ['--target', 'http://127.0.0.1:9/v1', '--key', 'k', '--out', '/none/pins.yaml'];
  const { code, err } = await runCalibrate(nowhere);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'petstore-twin calibrate: --out /none/pins.yaml cannot be written: there is no folder /none.\n',
  });
});
