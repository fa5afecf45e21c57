import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A reading that a server under measurement reports about itself. */
export type Reading = {
  /** The longest time in which it answered nothing since the last reading, in milliseconds. */
  longestBlock: number;
  /** The most resident memory it ever had, in MB. */
  peakMemory: number;
  /** The processor time that it has used, in milliseconds. */
  processorTime: number;
};

// Loaded before a server by --import; it answers each message with a reading.
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('message', () => {
  const longestBlock = delays.max / 1e6;
  const peakMemory = process.resourceUsage().maxRSS / 1024;
  const { user, system } = process.cpuUsage();
  const processorTime = (user + system) / 1000;
  delays.reset();
  process.send?.({ longestBlock, peakMemory, processorTime } satisfies Reading);
});
process.channel?.unref();
