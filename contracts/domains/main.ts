import { enableCompileCache } from 'node:module';
import { exitOnCrash } from '../../common/cli/exit-on-crash.ts';

exitOnCrash('npm run domains');
enableCompileCache();
const { runCommand } = await import('./command.ts');
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  command: 'npm run domains --',
});
