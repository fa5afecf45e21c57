import { exitOnCrash } from '../../common/cli/exit-on-crash.ts';
import { runCommand } from '../../contracts/domains/command.ts';
import { answerRuns } from './answer-runs.ts';

exitOnCrash('domains');
answerRuns((args, env) => runCommand(args, { env, command: 'npm run domains --' }));
