import { exitOnCrash } from '../../contracts/command/exit-on-crash.ts';
import { runCommand } from '../../contracts/command/run-command.ts';
import { peakMebibytes, resetPeak } from './peak-memory.ts';

// The program of verify-process.ts: runs the command for each message that it gets.
exitOnCrash('verify');
process.setMaxListeners(0);
const printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  stream.setMaxListeners(0);
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = (text: string | Uint8Array, ...more: unknown[]) => {
    printed[name] += text;
    return write(text, ...more);
  };
}

process.on('message', async ({ args, env }: { args: string[]; env: Record<string, string> }) => {
  Object.assign(printed, { stdout: '', stderr: '' });
  globalThis.gc?.();
  resetPeak();
  const code = await runCommand(args, { env, command: 'npm run verify --' });
  const { stdout: out, stderr: err } = printed;
  process.send?.({ code, out, err, mebibytes: peakMebibytes() });
});
