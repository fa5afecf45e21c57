import { expect, it, onTestFinished, vi } from 'vitest';
import { createCommand } from '../../../common/cli/create-command.ts';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { keyOption, options } from '../../../contracts/command/options.ts';

/** Runs a command that says which keys it got, and refuses one. */
async function run(args: string[], variable: string) {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  const command = createCommand({
    name: 'sample',
    table: { target: options.target, key: keyOption('API key') },
    toHelpText: () => '',
    example: '--target URL',
    run: async ({ key }) => {
      if (key.some(({ plan }) => plan !== undefined)) throw new UsageError('A --key is wrong.');
      return key.length;
    },
  });
  const context = { env: { TARGET_KEYS: variable }, command: 'sample' };
  return { code: await command(args, context), said: said.join('') };
}

it('takes keys from the variable only where there is a target to use them on', async () => {
  expect(await run([], 'k1\nk3')).toEqual({ code: 0, said: '' });
  expect(await run(['--target', 'http://x'], 'k1')).toEqual({ code: 1, said: '' });
  expect(await run(['--target=http://x'], ' \nk1')).toEqual({ code: 1, said: '' });
});

it('names the variable where its keys are wrong', async () => {
  const { code, said } = await run(['--target', 'http://x'], 'plan=k1');
  expect([code, said]).toEqual([
    2,
    'petstore-twin sample: A --key is wrong. TARGET_KEYS holds it.\n',
  ]);
  const spaced = await run(['--target', 'http://x'], 'k 1');
  expect(spaced.said).toMatch(/printable ASCII.* TARGET_KEYS holds it\.\n$/);
  const both = await run(['--target', 'http://x', '--key', 'plan=k2'], 'k1');
  expect(both.said).toBe('petstore-twin sample: A --key is wrong.\n');
});
