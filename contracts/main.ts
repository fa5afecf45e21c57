import { enableCompileCache } from 'node:module';

enableCompileCache();
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has read enough, such as head, is no failure.
    if (error.code !== 'EPIPE') throw error;
  });
const { runCommand } = await import('./command.ts');
process.exitCode = await runCommand(process.argv.slice(2), { env: process.env, command: 'npm run verify --' });
