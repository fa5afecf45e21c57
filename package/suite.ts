import { runCommand as calibrate } from '../contracts/calibrate/command.ts';
import { runCommand as verify } from '../contracts/command/run-command.ts';
import { runCommand as data } from '../contracts/data/command.ts';
import { runCommand as docs } from '../contracts/docs/command.ts';
import { runCommand as dredd } from '../contracts/dredd/command.ts';
import { runCommand as fidelity } from '../contracts/fidelity/command.ts';
import { runCommand as judge } from '../contracts/judge/command.ts';
import { runCommand as learn } from '../contracts/learn/command.ts';
import { runCommand as proxy } from '../contracts/proxy/command.ts';
import { createTypesCommand } from '../contracts/types/command.ts';

/** The commands of the suite, by their names; they share most of their code. */
export const suite = {
  calibrate,
  data,
  docs,
  dredd,
  fidelity,
  judge,
  learn,
  proxy,
  types: createTypesCommand(),
  verify,
};

export { exitOnCrash } from '../common/cli/exit-on-crash.ts';
