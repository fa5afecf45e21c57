import { serve } from '../../mock/process/serve.ts';
import { answerRuns } from './answer-runs.ts';

answerRuns(async (args, env) => {
  await serve(args, { env, command: 'npm start --' });
  const { exitCode = 0 } = process;
  process.exitCode = 0;
  return Number(exitCode);
});
