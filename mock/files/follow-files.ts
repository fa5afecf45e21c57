import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../common/look/visible.ts';
import type { TwinApp } from '../app.ts';
import type { Identity } from '../http/server.ts';
import type { Log } from '../log.ts';
import type { ServedFiles } from '../served.ts';
import type { Config } from '../settings/settings.ts';
import { readIdentity } from './read-identity.ts';
import { type ReadServedOptions, readServed } from './read-served.ts';
import { type FileStates, type FileWatch, readFileStates, watchFiles } from './watch-files.ts';

export type FollowOptions = {
  app: TwinApp;
  given?: ReadServedOptions['given'];
  /** Shows another certificate to new connections. */
  identify: (identity: Identity) => void;
  log: Log;
};

/**
 * Creates a watch that reloads the files read for the settings when they change from now on. A
 * mistake in a file changes nothing and is logged.
 */
export async function createFollowing(
  config: Config,
  files: Iterable<string>,
): Promise<(options: FollowOptions) => FileWatch> {
  const identityFiles = [config.tlsCert, config.tlsKey].filter((file) => file !== undefined);
  const states = await readFileStates(files);
  const identityStates = await readFileStates(identityFiles.map((file) => resolve(file)));
  return (options) => {
    const watches = [followServed(config, { states, ...options })];
    if (identityStates.size > 0)
      watches.push(followIdentity(config, { states: identityStates, ...options }));
    return { close: async () => void (await Promise.all(watches.map((watch) => watch.close()))) };
  };
}

type FollowedFiles = FollowOptions & { states: FileStates };

function followServed(config: Config, { app, states, given, log }: FollowedFiles): FileWatch {
  let lastGood: Iterable<string> = states.keys().toArray();
  let isBad = false;
  const onChange = async () => {
    const found = new Set<string>();
    try {
      let changes: string[] = [];
      const seeds = await app.serve(async (before) => {
        const served = await readServed(config, { before, files: found, ...(given && { given }) });
        changes = describeChange(before, served);
        return served;
      });
      if (changes.length > 0) log.info(`Reloaded ${changes.join(', ')}. ${seedsMessage(seeds)}`);
      else if (isBad) log.info('Reloaded; nothing has changed.');
      isBad = false;
      lastGood = found;
      return found;
    } catch (error) {
      log.warn(`Not reloaded; the previous version is still served. ${messageOf(error)}`);
      isBad = true;
      return [...lastGood, ...found];
    }
  };
  return watchFiles({ states, onChange });
}

function seedsMessage(seeds: readonly string[]): string {
  if (seeds.length === 0) return 'Stored items stay.';
  return `Stored items stay; new seeds of ${seeds.join(', ')} apply after the next reset, and in new sandboxes.`;
}

function followIdentity(config: Config, { states, identify, log }: FollowedFiles): FileWatch {
  const onChange = async () => {
    try {
      const identity = readIdentity(config);
      if (identity) identify(identity);
      log.info('Reloaded the certificate; new connections use it.');
    } catch (error) {
      log.warn(`Not reloaded; the previous certificate is still used. ${messageOf(error)}`);
    }
    return states.keys();
  };
  return watchFiles({ states, onChange });
}

/** Names what changed in what is served, one phrase each. */
export function describeChange(before: ServedFiles, after: ServedFiles): string[] {
  const arePinsNew = before.pins !== after.pins;
  const isDocumentNew = before.document.schemas !== after.document.schemas;
  const changes = {
    // Pins are part of the document that is served.
    'the document': isDocumentNew && !(arePinsNew && hasSameOperations(before, after)),
    pins: arePinsNew,
    behaviours: before.behaviours?.module !== after.behaviours?.module,
    plans: before.policy !== after.policy,
    keys: !isDeepStrictEqual(before.keys.map(toOwn), after.keys.map(toOwn)),
    'the data': before.data !== after.data,
  };
  const named = Object.entries(after.namedItems)
    .filter(([name, text]) => text !== (before.namedItems[name] ?? '[]'))
    .map(([name]) => `named items of ${name}`);
  return [...Object.entries(changes).flatMap(([name, is]) => (is ? [name] : [])), ...named];
}

function hasSameOperations(before: ServedFiles, after: ServedFiles): boolean {
  return isDeepStrictEqual(before.document.operations, after.document.operations);
}

/** Each key carries the figures of its plan, which are no change of the key. */
function toOwn({ plan, ...key }: ServedFiles['keys'][number]): object {
  return { ...key, plan: plan.name };
}
