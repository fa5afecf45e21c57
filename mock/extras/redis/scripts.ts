import { readScript } from './script.ts';

/** A call enters a sandbox, see scripts/enter.lua. */
export const enterScript = readScript(
  'numbers.lua',
  'windows.lua',
  'limits.lua',
  'changes.lua',
  'enter.lua',
);

/** Gives back what a call of a key took, see scripts/give-back.lua. */
export const giveBackScript = readScript('numbers.lua', 'windows.lua', 'give-back.lua');

/** Counts a call for faults, see scripts/faults.lua. */
export const faultsScript = readScript('random.lua', 'faults.lua');

/** Appends a change of items, see scripts/append.lua. */
export const appendScript = readScript('changes.lua', 'append.lua');

/** Reads all of a sandbox but its items and snapshots, see scripts/load.lua. */
export const loadScript = readScript('load.lua');

/** Makes a sandbox, see scripts/create.lua. */
export const createScript = readScript('create.lua');

/** Runs commands under the lock of a sandbox, see scripts/commit.lua. */
export const commitScript = readScript('commit.lua');

/** Holds or frees a lock, see scripts/renew.lua. */
export const renewScript = readScript('renew.lua');

/** Appends exchanges to a journal, see scripts/record.lua. */
export const recordScript = readScript('record.lua');

/** Takes the oldest exchanges out of a journal, see scripts/drop-exchanges.lua. */
export const dropExchangesScript = readScript('drop-exchanges.lua');

/** Removes exchanges from a journal, see scripts/forget-exchanges.lua. */
export const forgetExchangesScript = readScript('forget-exchanges.lua');

/** Notes that a sandbox is used, see scripts/register.lua. */
export const registerScript = readScript('register.lua');

/** Forgets a sandbox that was removed, see scripts/unregister.lua. */
export const unregisterScript = readScript('unregister.lua');

/** Removes a sandbox that nobody uses, see scripts/remove.lua. */
export const removeScript = readScript('remove.lua');
