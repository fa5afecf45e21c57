import { expect, it } from 'vitest';
import { createLog } from '../../../mock/log.ts';

/**
 * A bell, a cursor that goes up, another title of the window (OSC 52 writes the clipboard), C1's
 * CSI, a line of its own, bidi.
 */
const steering = '\u0007\u001b[1A\u001b]52;c;aGFybQ==\u0007\u009b2J\nforged\u202e\u2028';
const steers = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]|^\s*forged/mu;

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
