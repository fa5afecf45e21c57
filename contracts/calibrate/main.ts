import { enableCompileCache } from 'node:module';
import { exitOnCrash } from '../../common/cli/exit-on-crash.ts';

exitOnCrash('npm run calibrate');
enableCompileCache();
const { runCommand } = await import('./command.ts');
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  command: 'npm run calibrate --',
});
