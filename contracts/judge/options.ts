import { text } from '../cli/option-kinds.ts';
import type { OptionTable, Parsed } from '../cli/read-options.ts';
import {
  keyOption,
  outputOptions,
  reportOptions,
  runOptions,
  trafficOptions,
} from '../command/options.ts';

/** Every option of the command, in the order of the help. */
export const options = {
  baseUrl: text({
    value: 'URL',
    help: 'base URL of the deployment, including /v1; production and staging use BASE_URL and STAGING_BASE_URL',
  }),
  key: keyOption('API key that clients used, with its plan if known; repeatable'),
  spec: runOptions.spec,
  allowRefs: runOptions.allowRefs,
  ...trafficOptions,
  baseline: reportOptions.baseline,
  ...outputOptions,
} satisfies OptionTable;

/** The options of the command, parsed. */
export type JudgeOptions = Parsed<typeof options>;
