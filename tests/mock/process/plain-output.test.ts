import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createLog } from '../../../mock/log.ts';
import { serveMock } from '../../support/run-mock.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

/**
 * A bell, a cursor that goes up, another title of the window (OSC 52 writes the clipboard), C1's
 * CSI, a line of its own, bidi.
 */
const steering = '\u0007\u001b[1A\u001b]52;c;aGFybQ==\u0007\u009b2J\nforged\u202e\u2028';
const steers = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]|^\s*forged/mu;

it('prints a banner that cannot steer the terminal, whatever the document and the keys are called', async () => {
  const text = await readFile(projectFile('tests/support/counters.json'), 'utf8');
  const document = JSON.parse(text);
  document.info = { title: `Title${steering}`, version: `1${steering}` };
  for (const path of Object.values<Record<string, { operationId: string }>>(document.paths))
    for (const operation of Object.values(path))
      if (operation.operationId) operation.operationId += steering;
  document.paths[`/extra${steering}`] = {
    get: {
      operationId: `extra${steering}`,
      security: [{ [`odd${steering}`]: [] }],
      responses: { 200: { description: 'ok' } },
    },
  };
  document.components.securitySchemes[`odd${steering}`] = {
    type: 'apiKey',
    in: 'header',
    name: `X${steering}`,
  };
  const spec = await writeJson(document);
  const keys = await writeJson({
    keys: [{ key: 'k3y-of-mine', name: `name${steering}`, plan: 'free' }],
  });
  const { stdout } = await serveMock(['--spec', spec, '--keys', keys]);
  expect(stdout).toContain('Title\\x07\\x1b[1A');
  expect(stdout).toContain('name\\x07\\x1b[1A');
  expect(stdout).not.toMatch(steers);
});

it('logs lines that cannot steer the terminal, nor look like others', () => {
  const lines: string[] = [];
  const log = createLog('debug', (line) => lines.push(line));
  for (const level of ['warn', 'info', 'debug'] as const) log[level](`Reloaded ${steering}`);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).not.toMatch(steers);
    expect(line.slice(0, -1)).not.toContain('\n');
  }
  log.error(`Error: ${steering}\n    at place`);
  expect(lines.at(-1)).toContain('\n    at place');
  expect(lines.at(-1)).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028]/u);
});
