import { parseConfig, UsageError } from '../../../mock/config.ts';
import { createLog } from '../../../mock/log.ts';
import { openTwin } from '../../../mock/twin.ts';

/** A while in which the twin kept its journal or did not, and the requests that it answered in a second. */
export type Turn = { on: boolean; perSecond: number };

/** How long a turn is, in milliseconds: longer than V8's collections are apart, shorter than the moods of a machine. */
const length = 250;

const { config } = parseConfig(process.argv.slice(2), {});
if (!config) throw new UsageError('The settings of a twin are wanted.');
const { app } = await openTwin(config, { log: createLog(config.logLevel) });

let turns: Turn[] = [];
let wanted = 0;
let on = true;
let requests = 0;
let since = performance.now();
// It is asked once for each request.
Object.defineProperty(app.journals, 'isOff', {
  get() {
    requests += 1;
    return !on;
  },
});
setInterval(() => {
  const now = performance.now();
  turns.push({ on, perSecond: (requests * 1000) / (now - since) });
  // The first one began before it was asked for.
  if (turns.length === wanted) process.send?.(turns.slice(1));
  on = !on;
  requests = 0;
  since = now;
}, length);

process.on('message', (count: number) => {
  turns = [];
  wanted = count + 1;
});
process.once('disconnect', () => process.exit());
