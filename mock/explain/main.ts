import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommand } = await import('./command.ts');
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  command: 'npm run explain --',
});
