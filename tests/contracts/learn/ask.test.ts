import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTwin } from '../../../contracts/command/twin-process.ts';
import { readDocument } from '../../../contracts/document/read-document.ts';
import { runCommand } from '../../../contracts/learn/command.ts';
import { capture } from '../../support/capture.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';

const spec = projectFile('examples/learn/orders.yaml');
const key = ['--key', 'demo-enterprise'];
const rules = `overlay: 1.0.0
info: { title: The service, version: 1.0.0 }
actions:
  - target: $.paths['/customers'].post
    update: { x-twin: { values: { object: customer }, newId: cus_00000000 } }
`;

/** A deployment that does more than the document says, and a folder for what is written. */
async function startService() {
  const folder = makeFolder();
  const overlay = join(folder, 'rules.yaml');
  writeFileSync(overlay, rules);
  const document = await readDocument({ spec, overlay });
  const service = await startTwin({ spec, overlay, document, items: 0, seed: 1 });
  onTestFinished(service.stop);
  const ask = (...args: string[]) =>
    capture(() =>
      runCommand(
        [...args, '--ask', service.url, '--spec', spec, '--out', join(folder, 'out.yaml')],
        { env: {}, command: 'x' },
      ),
    );
  return {
    ask,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
  };
}

it('asks a deployment for what no recording shows, and says what stays there', async () => {
  const { ask, read } = await startService();
  const ran = await ask(...key, '--allow-writes');
  expect(ran).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Wrote .*out\.yaml: \d+ lines/),
  });
  expect(ran.err).toMatch(
    /^petstore-twin learn: Recorded \d+ calls of .*out\.asked\.har\. It left \d+ items there/,
  );
  expect(read('out.yaml')).toMatch(/newId: cus_0+\n\s+values:\n\s+object: customer/);
  expect(read('out.asked.har')).not.toContain('demo-enterprise');
});

it('creates nothing unless it may, and names what it needs', async () => {
  const { ask, read } = await startService();
  const ran = await ask(...key);
  expect(ran.err).toContain('Nothing was created: see --allow-writes.');
  const { entries } = JSON.parse(read('out.asked.har')).log;
  const isRefused = ({ request, response }: Record<string, Record<string, unknown>>) =>
    ['GET', 'HEAD', 'OPTIONS'].includes(String(request?.method)) || Number(response?.status) >= 400;
  expect(entries.every(isRefused)).toBe(true);
  expect(await ask()).toMatchObject({
    code: 2,
    err: expect.stringContaining('--ask needs a key.'),
  });
  const other = ['--base-url', 'http://127.0.0.1:9/v1', projectFile('examples/learn/orders-1.har')];
  expect(await ask(...key, ...other)).toMatchObject({ code: 2 });
});
