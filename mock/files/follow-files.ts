import type { TwinApp } from '../app.ts';
import type { Identity } from '../http/server.ts';
import type { Log } from '../log.ts';
import type { Config } from '../settings/settings.ts';
import { describeChange } from './describe-change.ts';
import { readIdentity } from './read-identity.ts';
import { type ReadServedOptions, readServed } from './read-served.ts';
import { type FileStates, type FileWatch, watchFiles } from './watch-files.ts';

export type FollowOptions = {
  app: TwinApp;
  /** The files that were read for what is served, in their state at that time. */
  states: FileStates;
  /** The same for certificate and key. */
  identityStates: FileStates;
  given?: ReadServedOptions['given'];
  /** Shows another certificate to new connections. */
  identify: (identity: Identity) => void;
  log: Log;
};

/**
 * Reloads the files that the settings name when they change. A mistake in one changes nothing and
 * is logged.
 */
export function followFiles(config: Config, options: FollowOptions): FileWatch {
  const watches = [followServed(config, options)];
  if (options.identityStates.size > 0) watches.push(followIdentity(config, options));
  return { close: async () => void (await Promise.all(watches.map((watch) => watch.close()))) };
}

function followServed(config: Config, { app, states, given, log }: FollowOptions): FileWatch {
  let lastGood: Iterable<string> = states.keys().toArray();
  let isBad = false;
  const onChange = async () => {
    const found = new Set<string>();
    try {
      const before = app.served;
      const served = await readServed(config, { before, files: found, ...(given && { given }) });
      const changes = describeChange(before, served);
      const seeds = await app.serve(served);
      if (changes.length > 0) log.info(`Reloaded ${changes.join(', ')}. ${whatStays(seeds)}`);
      else if (isBad) log.info('Reloaded; nothing has changed.');
      isBad = false;
      lastGood = found;
      return found;
    } catch (error) {
      log.warn(`Not reloaded; the previous version is still served. ${toLine(error)}`);
      isBad = true;
      return [...lastGood, ...found];
    }
  };
  return watchFiles({ states, onChange });
}

function whatStays(seeds: readonly string[]): string {
  if (seeds.length === 0) return 'Stored items are kept.';
  return `Stored items are kept; new seeds of ${seeds.join(', ')} apply after the next reset, and in new sandboxes.`;
}

function followIdentity(
  config: Config,
  { identityStates, identify, log }: FollowOptions,
): FileWatch {
  const onChange = async () => {
    try {
      const identity = readIdentity(config);
      if (identity) identify(identity);
      log.info('Reloaded the certificate; new connections use it.');
    } catch (error) {
      log.warn(`Not reloaded; the previous certificate is still used. ${toLine(error)}`);
    }
    return identityStates.keys();
  };
  return watchFiles({ states: identityStates, onChange });
}

function toLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
}
