import { peakMebibytes, resetPeak } from './peak-memory.ts';

/** Describes what {@link useRepeatedRuns} asks a program for. */
export type RunRequest = { args: string[]; env: Record<string, string> };

/** Runs a command for each message that this process gets, and answers with what it printed. */
export function answerRuns(
  run: (args: string[], env: Record<string, string>) => Promise<number>,
): void {
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
  process.on('message', async ({ args, env }: RunRequest) => {
    Object.assign(printed, { stdout: '', stderr: '' });
    globalThis.gc?.();
    resetPeak();
    const code = await run(args, env);
    process.send?.({ code, ...printed, mebibytes: peakMebibytes() });
  });
}
