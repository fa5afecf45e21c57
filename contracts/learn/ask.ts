import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { toKey } from '../../openapi/model/operation.ts';
import { askDeployment } from '../command/ask-deployment.ts';
import type { Options, RunOptions } from '../command/options.ts';
import { recordHar } from '../command/record-har.ts';
import type { Round } from '../fidelity/replay-all.ts';
import { writtenOf } from '../traffic/as-read.ts';
import type { Lines } from './lines.ts';

/** The options of a run that are passed on to it. */
const passedOn = [
  'spec',
  'overlay',
  'allowRefs',
  'readOnly',
  'allowWrites',
  'maxRequests',
] as const;

type AskOptions = Pick<RunOptions, (typeof passedOn)[number]> & {
  key: Options['key'];
};

/**
 * Calls a deployment as `verify` does, which changes only what it created, and records it in `file`;
 * gives how many items stay there.
 * `open` are the operations that recordings leave open; all are called without them.
 */
export async function ask(
  url: string,
  {
    document,
    open,
    file,
    options,
    onCall,
  }: {
    document: Api;
    open: readonly Operation[] | undefined;
    file: string;
    options: AskOptions;
    onCall: () => void;
  },
): Promise<number> {
  const only = open?.map(({ id }) => id) ?? [];
  let recorder: Awaited<ReturnType<typeof recordHar>>;
  const given = Object.fromEntries(passedOn.map((name) => [name, options[name]]));
  const { residue } = await askDeployment(
    { ...given, only, probeLimits: false },
    {
      ...{ document, url, keys: options.key, who: '--ask' },
      onEvent: (event) => {
        if (event.type === 'exchange') onCall();
      },
      async onTargets(targets) {
        recorder = await recordHar({ har: file, redact: [] }, { targets, document });
        return recorder ? { onPassed: recorder.add } : {};
      },
    },
  );
  const problem = await recorder?.end();
  if (problem !== undefined) throw new UsageError(problem);
  return residue.length;
}

/**
 * Finds the operations that recordings leave open: answers still differ, or a line was seen once. Those
 * that create, read and list the same items are among them, as they show what another one does.
 */
export function findOpen(lines: Lines, { document, runs }: Round): Operation[] {
  const isOpen = new Set<string>();
  for (const { operation, differences } of [...runs.values()].flat())
    if (operation && differences.length > 0) isOpen.add(toKey(writtenOf(operation)));
  for (const { operation, confidence } of lines.all)
    if (operation && confidence === 'low') isOpen.add(toKey(writtenOf(operation)));
  const open = document.operations.filter((one) => isOpen.has(toKey(one)));
  const resources = new Set(open.map((one) => findResource(document, one)).filter(Boolean));
  return document.operations.filter(
    (one) => open.includes(one) || resources.has(findResource(document, one)),
  );
}
