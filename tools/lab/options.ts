import { text, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import { namesOption } from '../read-arguments.ts';

/** The options that all runs of the lab have. */
export const labOptions = {
  only: namesOption('ID,...', 'only these deployments'),
  sample: wholeNumber({
    value: 'N',
    help: 'only every N-th of the chosen deployments, starting with the first',
    min: 1,
    default: 1,
  }),
  concurrency: wholeNumber({ value: 'N', help: 'number of parallel runs', min: 1, default: 2 }),
  json: text({ value: 'FILE', help: 'write all results' }),
  verbose: toggle('print more of each deployment, such as the checks that found it'),
};

/** Whether a list of names has this one, or there is no list. */
export function isNamed(names: readonly string[] | undefined, name: string): boolean {
  return names?.includes(name) ?? true;
}
