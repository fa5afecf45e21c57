import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { fair } from '../../tools/lab/fair.ts';
import { cannotBeMirrored } from '../../tools/lab/not-mirrored.ts';
import { projectFile } from '../support/twin.ts';

it('gives reasons for deployments of the lab alone', () => {
  const ids = fair.map(({ id }) => id);
  expect(Object.keys(cannotBeMirrored).filter((id) => !ids.includes(id))).toEqual([]);
});

/** Runs the command on one deployment. */
function mirror(id: string): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const args = [projectFile('tools/lab/calibrate-lab.ts'), '--only', id];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.once('close', (code) => resolve({ code, out }));
  });
}

it('mirrors a deployment in every line of the silence map, and no answer differs', async () => {
  expect(await mirror('fair-like-spring')).toEqual({
    code: 0,
    out: 'mirrored  fair-like-spring\n1 of 1 correct deployments are mirrored in every line.\n',
  });
}, 180_000);
