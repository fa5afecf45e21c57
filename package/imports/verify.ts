import { loadModule } from '../node-version.ts';

export const { formatReport, openResponseJudge, verify } = loadModule(
  './verify.js',
) as typeof import('../verify.ts');
