import { createJournals, type Journals } from '../../../mock/journal/journals.ts';
import { createLog } from '../../../mock/log.ts';
import type { Backend, BackendOptions } from '../../../mock/sandboxes/backend.ts';
import type { Fingerprint } from '../../../mock/sandboxes/fingerprint.ts';
import { createToInitialState, openSandboxes } from '../../../mock/sandboxes/open-sandboxes.ts';
import type { TaskListener } from '../../../mock/sandboxes/run-task.ts';
import type { Sandboxes } from '../../../mock/sandboxes/sandboxes.ts';
import { plainSettings, toPlainSeeds } from './plain-settings.ts';

/** A place where state is held, for one test. */
export type TestStore = {
  /** Opens it, as a process does that starts. */
  open(options: BackendOptions): Promise<Backend>;
  remove(): Promise<void>;
};

/** A process that has a store open. */
export type Process = {
  sandboxes: Sandboxes;
  journals: Journals;
  taskListener: TaskListener;
  close: () => Promise<void>;
};

const fingerprint: Fingerprint = {
  seed: plainSettings.seed,
  pets: plainSettings.items,
  document: 'd',
  data: undefined,
  items: 'i',
};

/** Opens a store in a process of its own, as far as state is concerned. */
export async function openProcess(
  { open }: Pick<TestStore, 'open'>,
  { maxSandboxes = 1000, idle = 0, journalEntries = 10, ...given }: Partial<BackendOptions> = {},
): Promise<Process> {
  const initialState = { options: {}, settings: plainSettings, seeds: toPlainSeeds({}) };
  const toInitialState = createToInitialState(initialState, async (wanted) => toPlainSeeds(wanted));
  const log = createLog('silent');
  const backend = await open({
    fingerprint: () => fingerprint,
    reset: false,
    follows: false,
    toInitialState,
    maxSandboxes,
    idle,
    journalEntries,
    log,
    ...given,
  });
  const journals = createJournals({ entries: journalEntries, secrets: [] });
  const taskListener: TaskListener = {};
  const sandboxes = await openSandboxes({
    backend,
    onTasks: (...news) => taskListener.onTasks?.(...news),
    openJournal: journals.open,
    begin: () => ({ initialState, toInitialState }),
    max: maxSandboxes,
    maxBytes: 1e8,
    idle,
    log,
  });
  return {
    sandboxes,
    journals,
    taskListener,
    async close() {
      taskListener.close?.();
      await sandboxes.close();
      await backend.close();
    },
  };
}
