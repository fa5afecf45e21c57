import { exitOnCrash } from '../../common/cli/exit-on-crash.ts';
import { runCommand } from '../../contracts/command/run-command.ts';
import { answerRuns } from './answer-runs.ts';

exitOnCrash('verify');
answerRuns((args, env) => runCommand(args, { env, command: 'npm run verify --' }));
