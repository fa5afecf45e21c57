import { vi } from 'vitest';

/** Runs a command in this process, and gives its exit code and what it printed. */
export async function capture(run: () => Promise<number>) {
  const printed = { out: '', err: '' };
  const spies = (['out', 'err'] as const).map((name) =>
    vi
      .spyOn(process[`std${name}`], 'write')
      .mockImplementation((text) => (printed[name] += text) !== ''),
  );
  try {
    return { code: await run(), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
