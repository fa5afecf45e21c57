import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { pageOf, pagesOfCommands, showPage } from '../../common/cli/help-pages.ts';
import { DocumentError, UsageError } from '../../common/cli/usage-error.ts';
import { runCommand } from '../../mock/explain/command.ts';
import { projectFile } from '../support/twin.ts';

const ofDocument = (message: string) => pageOf('verify', new DocumentError(message));

const pages = [
  ...Object.values(pagesOfCommands).flatMap((rows) => rows.map(([, page]) => page)),
  ...['a.yaml overlay', '$ref "x"', 'as pins', 'other'].flatMap((text) => ofDocument(text) ?? []),
];

it.each([...new Set(pages)])('%s exists', (page) => {
  const [file = '', anchor] = page.split('#');
  expect(existsSync(projectFile(file))).toBe(true);
  const headings = readFileSync(projectFile(file), 'utf8').match(/^## .+$/gm) ?? [];
  const anchors = headings.map((heading) =>
    heading
      .slice(3)
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  if (anchor !== undefined) expect(anchors).toContain(anchor);
});

it('has a page for each command, whatever the error', () => {
  const bin = projectFile('package/bin.ts');
  const help = execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' });
  const [, list = ''] = /Commands:\n(.*?)\n\n/s.exec(help) ?? [];
  const commands = Array.from(list.matchAll(/^ {2}(\S+)/gm), ([, name = '']) => name);
  expect(Object.keys(pagesOfCommands).toSorted()).toEqual(commands.toSorted());
  for (const command of commands)
    expect(pageOf(command, new UsageError('Other.'))).toMatch(/^docs/);
});

it.each([
  ['mock', '--webhook-secret must be base64.', 'docs/webhooks.md'],
  ['mock', '--tls-cert and --tls-key need each other.', 'docs/server.md#https'],
  ['mock', 'The API users has no document. Give it one as spec.', 'docs/many-apis.md'],
  ['mock', '--spec gives two documents the name users.', 'docs/many-apis.md'],
  ['mock', 'Port 4010 on 127.0.0.1 is taken. Choose another with --port.', 'docs/options.md'],
  ['verify', 'A target needs a key. Give --key KEY.', 'docs/verify.md#credentials'],
  ['verify', '--fuzz-time is the time of --fuzz; give that too.', 'docs/fuzzing.md'],
  ['proxy', 'Name the deployment to pass calls to: --target URL.', 'docs/proxy.md#options'],
])('has the page of what the message names: %s, %s', (command, message, page) => {
  expect(pageOf(command, new UsageError(message))).toBe(page);
});

/** Returns what is written to standard error, which is a terminal or none. */
function captureErrors(isTTY: boolean): () => string {
  let text = '';
  const before = process.stderr.isTTY;
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += part;
    return true;
  });
  process.stderr.isTTY = isTTY;
  onTestFinished(() => {
    process.stderr.isTTY = before;
    write.mockRestore();
  });
  return () => text;
}

it('names the page below the error of a command at a terminal', async () => {
  const errors = captureErrors(true);
  await runCommand(['missing.yaml'], { env: {}, command: 'explain' });
  expect(errors()).toBe(
    'petstore-twin explain: There is no document at missing.yaml. Name an OpenAPI file, or the URL of one.\nMore: docs/documents.md\n',
  );
});

it('names no page elsewhere, and none of an unknown command', () => {
  const errors = captureErrors(false);
  showPage('verify', new UsageError('Other.'));
  process.stderr.isTTY = true;
  showPage('unknown', new UsageError('Other.'));
  expect(errors()).toBe('');
});
