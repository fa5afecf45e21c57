import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { options as calibrateOptions } from '../../../contracts/calibrate/command.ts';
import { documentOptions, targetOptions } from '../../../contracts/command/options.ts';
import {
  options as judgeOptions,
  runCommand as runJudge,
} from '../../../contracts/judge/command.ts';
import { options as proxyOptions } from '../../../contracts/proxy/options.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { runCalibrate } from '../../support/calibrate-command.ts';
import { capture } from '../../support/capture.ts';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startServer } from '../../support/start-server.ts';
import { writeJson } from '../../support/write-json.ts';
import { toEntry, toFile, toHar } from '../har/samples.ts';
import { runProxyCommand } from '../proxy/run-command.ts';

const silence = {
  source: '§1',
  question: 'What of unknown parameters?',
  twin: '404',
  'x-assumed': 'so',
};

/** Things behind Basic credentials; an overlay says that their sizes are texts. */
const files = async () => ({
  spec: await writeJson(
    documentOf(
      'listThings: GET /things -> [{ size: int }]',
      {},
      {
        security: [{ basicAuth: [] }],
        components: { securitySchemes: { basicAuth: { type: 'http', scheme: 'basic' } } },
      },
    ),
  ),
  overlay: await writeJson({
    overlay: '1.0.0',
    info: { title: 'Sizes', version: '1' },
    actions: [
      { target: '$..properties.size', update: { type: 'string' } },
      { target: '$', update: { 'x-silences': [{ id: 'unknown-path', ...silence }] } },
    ],
  }),
});

const key = 'basicAuth=me:open-sesame';
const authorization = `Basic ${Buffer.from('me:open-sesame').toString('base64')}`;

const openThings = () =>
  startServer(({ headers, path }) => {
    if (headers.authorization !== authorization) return { status: 401, body: {} };
    return path === '/things'
      ? { status: 200, body: [{ size: 'large' }] }
      : { status: 404, body: {} };
  });

it('proxy, judge and calibrate read a document and keys as verify does', () => {
  for (const table of [proxyOptions, judgeOptions, calibrateOptions]) {
    expect(table).toMatchObject(documentOptions);
    expect(table.key.value).toBe(targetOptions.key.value);
  }
});

it('judge reads an overlay, and knows keys of a security scheme', async () => {
  const { spec, overlay } = await files();
  const recording = toFile(
    toHar([
      toEntry({
        request: {
          method: 'GET',
          url: 'http://things.test/things',
          headers: [{ name: 'Authorization', value: authorization }],
        },
        response: {
          status: 200,
          content: { text: '[{"size":"large"}]', mimeType: 'application/json' },
        },
      }),
    ]),
  );
  const args = [recording, '--spec', spec, '--base-url', 'http://things.test', '--key', key];
  const run = (more: string[]) =>
    capture(() => runJudge([...args, ...more], { env: {}, command: 'judge' }));
  expect(await run([])).toMatchObject({ code: 1, err: '' });
  expect(await run(['--overlay', overlay])).toMatchObject({ code: 0, err: '' });
});

it('proxy reads an overlay, and knows keys of a security scheme', async () => {
  const { spec, overlay } = await files();
  const json = join(makeFolder(), 'report.json');
  const target = await openThings();
  const run = runProxyCommand([
    ...['--target', target, '--spec', spec, '--overlay', overlay, '--key', key, '--json', json],
  ]);
  await (await fetch(`${await run.origin()}/things`, { headers: { authorization } })).text();
  expect(await run.end()).toBe(0);
  const report: Report = JSON.parse(await readFile(json, 'utf8'));
  expect(report.targets).toMatchObject([{ requests: 1, keys: ['key-1'] }]);
  expect(JSON.stringify(report)).not.toContain('sesame');
});

it('calibrate reads an overlay, and uses keys of a security scheme', async () => {
  const { spec, overlay } = await files();
  const out = join(makeFolder(), 'pins.yaml');
  const url = await openThings();
  const options = ['--spec', spec, '--target', url, '--key', key, '--out', out];
  expect((await runCalibrate(options)).err).toContain('has no x-silences');
  const { err } = await runCalibrate([...options, '--overlay', overlay]);
  expect(err).toMatch(/The last answer was 200 to \d+ \(GET \/things\)/);
});
