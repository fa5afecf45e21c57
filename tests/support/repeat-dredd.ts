import { runCommand } from '../../contracts/dredd/command.ts';
import { answerRuns } from './answer-runs.ts';

answerRuns((args) => runCommand(args, { env: {}, command: 'npm run dredd --' }));
