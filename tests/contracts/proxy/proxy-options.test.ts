import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand as runJudgeCommand } from '../../../contracts/judge/command.ts';
import { runCommand, toHelpText } from '../../../contracts/proxy/command.ts';
import { capture } from '../../support/capture.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { forElsewhere, forLocalhost } from '../../support/tls.ts';
import { projectFile } from '../../support/twin.ts';

const target = ['--target', 'http://127.0.0.1:9/v1'];

/** Returns what the command refuses with, and its exit code. */
const refuse = (args: readonly string[], env: Record<string, string> = {}, run = runCommand) =>
  capture(() => run(args, { env, command: 'proxy' }));

it('says which parts of a document cannot be used, and so does judge', async () => {
  const spec = join(makeFolder(), 'shop.json');
  const get = { responses: { 200: { description: 'Things.' } } };
  const info = { title: 'Shop', version: '1' };
  await writeFile(
    spec,
    JSON.stringify({ openapi: '3.1.0', info, paths: { broken: {}, '/things': { get } } }),
  );
  for (const run of [runCommand, runJudgeCommand])
    expect((await refuse(['--spec', spec], {}, run)).err).toMatch(
      /^petstore-twin (?:proxy|judge): \S+ has 1 part that cannot be used as written\. --strict-spec refuses such a document\. #\/paths\/broken: /,
    );
});

it.each([
  [[], /Name the deployment to pass calls to: --target URL\. See --help\./],
  [['--target', 'http://127.0.0.1:9/'], /must be an http or https URL that ends in \/v1/],
  [[...target, '--key', 'free='], /--key free= has no key after its =/],
  [[...target, '--key', 'gold=K'], /unknown plan before its =\. Plans are free, pro, business/],
  [[...target, '--tls-cert', forLocalhost.tlsCert], /--tls-cert and --tls-key need each other/],
  [
    [...target, '--tls-cert', forLocalhost.tlsCert, '--tls-key', forElsewhere.tlsKey],
    /are no certificate and its key as PEM \(/,
  ],
  [
    [...target, '--tls-cert', '/nowhere', '--tls-key', '/nowhere'],
    /are no certificate and its key as PEM \(ENOENT/,
  ],
  [['--target', 'http://127.0.0.1:4011/v1'], /is where this proxy is to listen\. Give another --t/],
  [[...target, '--host', '192.0.2.1'], /192\.0\.2\.1 cannot be listened on \(EADDRNOTAVAIL\)/],
  [[...target, '--port', '70000'], /--port must be at most 65535, but is 70000/],
  [[...target, '--har', 'a.har', '--learn', 'b.har'], /--learn records as --har does/],
  [[...target, '--redact', 'x'], /--redact hides values in a HAR; give --har FILE too/],
  [
    [...target, '--har', '/nowhere/t.har'],
    /--har \/nowhere\/t\.har cannot be written: there is no/,
  ],
  [['sk-live-alone'], /An argument has no option before it/],
])('refuses %j, and says what to do', async (args, message) => {
  const { code, err } = await refuse(args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err).toMatch(/^petstore-twin proxy: .+\n$/);
});

it('refuses a port that is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, err } = await refuse([...target, '--port', String(port)]);
  expect({ code, err }).toEqual({
    code: 2,
    err: `petstore-twin proxy: Port ${port} on 127.0.0.1 is in use. Give another --port, or 0 for a free one.\n`,
  });
});

it('says how to run it where its exit code counts, as npm gives its own after Ctrl-C', async () => {
  expect(toHelpText('npm run proxy --')).toContain('npm exits with 130, whatever the code is');
  expect(toHelpText('npm run proxy --')).toContain('node contracts/main.ts proxy');
  const ofPackage = toHelpText('petstore-twin proxy');
  expect(ofPackage).toContain('npx exits with 130, whatever the code is');
  expect(ofPackage).toContain('node_modules/.bin/petstore-twin proxy');
  const docs = await readFile(projectFile('docs/proxy.md'), 'utf8');
  expect(docs.replace(/\s+/g, ' ')).toMatch(/npm and npx exit with 130 after Ctrl-C, whatever /);
});
