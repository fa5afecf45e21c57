import { createLog } from '../../../mock/log.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { openTwin } from '../../../mock/twin.ts';

/**
 * A period in which the twin kept its journal or did not, and the requests that it answered in a
 * second.
 */
export type Turn = { on: boolean; perSecond: number };

/**
 * How long a turn is, in milliseconds. A machine's moods change within a second. The last garbage
 * of a turn falls to the next one; turns of twice the length showed the same cost, with far more
 * spread.
 */
const turnLength = 250;

const { config } = parseConfig(process.argv.slice(2), {});
if (!config) throw new Error('The settings of a twin are wanted.');
const { app } = await openTwin(config, { log: createLog(config.logLevel) });

let turns: Turn[] = [];
let wanted = 0;
let on = true;
let requests = 0;
let since = performance.now();
Object.defineProperty(app.journals, 'isOff', {
  get() {
    requests += 1;
    return !on;
  },
});
setInterval(() => {
  const now = performance.now();
  turns.push({ on, perSecond: (requests * 1000) / (now - since) });
  // The first one began before it was asked for, and the second one may have been ahead of the
  // load.
  if (turns.length === wanted) process.send?.(turns.slice(2));
  on = !on;
  requests = 0;
  since = now;
}, turnLength);

process.on('message', (count: number) => {
  turns = [];
  wanted = count + 2;
});
process.once('disconnect', () => process.exit());
