import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it, onTestFinished } from 'vitest';
import { createReceiver } from '../../../../examples/webhook-receiver.ts';
import { parseConfig } from '../../../../mock/settings/config.ts';
import { createTwin, type TwinSettings } from '../../../../package/twin.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { projectFile } from '../../../support/twin.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';

const text = await readFile(projectFile('docs/webhooks.md'), 'utf8');
const shop = projectFile('tests/support/shop.yaml');

/** The blocks of the page in a language. */
function blocksOf(language: string): string[] {
  return [...text.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );
}

/** Runs blocks of the page one after another, and gives what they print. */
async function run(blocks: readonly string[], settings: TwinSettings) {
  const code = blocks.join('').replace(/^import .*$/gm, '');
  const printed: unknown[][] = [];
  const create = async (given: TwinSettings) => {
    const twin = await createTwin({ ...given, spec: shop, logLevel: 'silent', ...settings });
    onTestFinished(() => twin.close());
    return twin;
  };
  await new Function('createTwin', 'console', `return (async () => { ${code} })()`)(create, {
    log: (...values: unknown[]) => printed.push(values),
  });
  return printed;
}

it('shows how to wait for a webhook without a receiver', async () => {
  const [first = ''] = blocksOf('ts');
  expect(await run([first], {})).toEqual([[2, 'unsent']]);
});

it('shows how tries fail, follow and are asked for, to the receiver of the example', async () => {
  const payloads: unknown[] = [];
  const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = createReceiver(webhookSecret, (payload) => void payloads.push(payload));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close().closeAllConnections());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const printed = await run(blocksOf('ts'), { webhookUrl: url, webhookSecret });
  expect(printed).toEqual([[2, 'delivered'], [[500, 204]]]);
  await expect
    .poll(() => payloads)
    .toMatchObject([{ quantity: 2 }, { quantity: 1 }, { quantity: 1 }]);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
});

it('shows options that the mock has', () => {
  const [line = ''] = blocksOf('sh');
  const { config } = parseConfig(line.trim().split(' -- ')[1]?.split(' ') ?? [], {});
  expect(config?.webhookUrl).toEqual([{ url: 'http://127.0.0.1:3000/hooks' }]);
});

it('shows an overlay that says how an API signs', async () => {
  const [overlay = ''] = blocksOf('yaml');
  expect(load(overlay)).toMatchObject({ overlay: '1.0.0' });
  const file = join(makeFolder(), 'overlay.yaml');
  await writeFile(file, overlay);
  const { url, received } = await startReceiver();
  const [first = ''] = blocksOf('ts');
  await run([first], { webhookUrl: url, webhookSecret: 's3cret', overlay: file });
  expect(received[0]?.headers['shop-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});
