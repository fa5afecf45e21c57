import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A twin in a process of its own; the suite knows it by its address, like any deployment. */
export type TwinProcess = { url: string; keys: { plan: string; secret: string }[]; stop: () => Promise<void> };

const entry = `../mock/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;

/** Starts the twin on a free port of loopback. Throws an Error that says why it did not start. */
export async function startTwin({ spec, seed }: { spec?: string; seed: number }): Promise<TwinProcess> {
  const args = [
    fileURLToPath(new URL(entry, import.meta.url)),
    '--port',
    '0',
    '--disable-banner',
    '--log-level',
    'error',
    '--seed',
    String(seed),
  ];
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TWIN_')));
  const child = spawn(process.execPath, spec === undefined ? args : [...args, '--spec', spec], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('\n')) resolve(printed.trim());
    });
    child.once('exit', () => reject(new Error(`The twin did not start: ${complaint.trim()}`)));
  });
  return {
    url,
    keys: [
      { plan: 'free', secret: 'demo-free' },
      { plan: 'free', secret: 'demo-free-2' },
      { plan: 'enterprise', secret: 'demo-enterprise' },
    ],
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
