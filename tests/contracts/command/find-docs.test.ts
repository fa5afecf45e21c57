import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../contracts/cli/usage-error.ts';
import { findDocs } from '../../../contracts/command/find-docs.ts';
import { readRunOptions } from '../../../contracts/command/options.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { startTwin } from '../../support/twin.ts';
import { proKey, startDeployment, useVerify } from '../../support/verify-command.ts';
import { parseOptions } from '../../support/verify-options.ts';

const document = await loadDocument(builtInDocument);
const run = useVerify();

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('finds the reference of a running twin, below a sandbox too', async () => {
  const { origin } = await startTwin();
  expect(await findDocs(`${origin}/v1`, document)).toBe(`${origin}/__docs/`);
  expect(await findDocs(`${origin}/sandboxes/a/v1`, document)).toBe(
    `${origin}/sandboxes/a/__docs/`,
  );
});

it.each<[string, RequestListener]>([
  ['no such page', (_, response) => response.writeHead(404).end('id="reliable-answers"')],
  [
    'a page of something else',
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hello</p>'),
  ],
  [
    'JSON',
    (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('" id=\\"reliable-answers\\""'),
  ],
  ['a redirect', (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
  ['no answer', (request) => request.socket.destroy()],
  [
    'a page without an end',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    },
  ],
])('finds no reference at a mock that has %s', async (_, listener) => {
  expect(await findDocs(`${await startServer(listener)}/v1`, document)).toBeUndefined();
});

it('asks nothing for a document without clauses', async () => {
  const asked: unknown[] = [];
  const origin = await startServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  await findDocs(`${origin}/v1`, { ...document, clauses: [] });
  expect(asked).toEqual([]);
});

it.each([
  ['https://docs.example.com/petstore', 'https://docs.example.com/petstore/'],
  ['http://127.0.0.1:4010/__docs/', 'http://127.0.0.1:4010/__docs/'],
  ['https://docs.example.com/petstore/index.html', 'https://docs.example.com/petstore/index.html'],
  ['https://docs.example.com', 'https://docs.example.com/'],
])('takes %s for an address of the reference', (given, docs) => {
  expect(parseOptions(['--docs', given])).toMatchObject({ docs });
  expect(readRunOptions({ docs: given })).toMatchObject({ docs });
});

it.each([
  ['javascript:alert(1)', 'must be an http or https URL'],
  ['file:///etc/passwd', 'must be an http or https URL'],
  ['docs/interface', 'must be an http or https URL'],
  ['', 'must be an http or https URL'],
  ['https://me:hunter2@docs.example.com/', 'must not contain a user name or password'],
  [
    'https://docs.example.com/a?token=hunter2',
    'must have no query or fragment. Did you mean https://docs.example.com/a/?',
  ],
  ['https://docs.example.com/#4.2', 'must have no query or fragment. Did you mean https'],
])('refuses %j as an address of the reference, and repeats no secret', (given, message) => {
  expect(() => parseOptions([`--docs=${given}`])).toThrow(`--docs ${message}`);
  expect(() => readRunOptions({ docs: given })).toThrow(`docs ${message}`);
  try {
    parseOptions([`--docs=${given}`]);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).not.toContain('hunter2');
  }
});

it('links findings, clauses, sections and silences, and repeats no key in a link', async () => {
  const { url } = await startDeployment();
  const { code, out } = await run([
    ...['--target', url, '--key', proKey, '--no-mock', '--no-probe-limits', '--read-only'],
    ...['--only', 'listPets', '--docs', `https://docs.example.com/${proKey}`, '--json', '-'],
  ]);
  expect(code).toBe(0);
  const { clauses, sections, silences } = JSON.parse(out) as Report;
  const docs = 'https://docs.example.com/$KEY/';
  expect(clauses.find(({ id }) => id === 'page-size')?.url).toBe(`${docs}#page-size`);
  expect(clauses.find(({ id }) => id === 'head-as-get')?.url).toBe(
    'https://www.rfc-editor.org/rfc/rfc9110#section-9.1',
  );
  expect(sections.find(({ id }) => id === '4.1')?.url).toBe(`${docs}#4.1`);
  expect(silences[0]?.url).toBe(`${docs}silences.html#limit-out-of-range`);
  expect(out).not.toContain(proKey);
});

it('links to the reference of the mock that is used', async () => {
  const { origin } = await startTwin();
  const { out } = await run([
    ...['--mock-url', `${origin}/v1`, '--only', 'listPets', '--no-probe-limits', '--read-only'],
    ...['--json', '-'],
  ]);
  const { clauses } = JSON.parse(out) as Report;
  expect(clauses.find(({ id }) => id === 'page-size')?.url).toBe(`${origin}/__docs/#page-size`);
});
